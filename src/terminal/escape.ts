import { type Escaping, replaceUnsafe } from "./text/replace-unsafe.ts";

/** Escapes a text for a terminal, on one line: acting or hidden characters become `\u{1b}`. Idempotent. */
export function visible(text: string): string {
  return replaceUnsafe(text, codePoint);
}

export function escapeCell(text: string, escaping: Escaping | undefined): string {
  return replaceUnsafe(text, codePoint, "", escaping);
}

/** Escapes a text of several lines; line endings and tabs stay. */
export function escapeLines(text: string): string {
  return replaceUnsafe(text, (character) =>
    character === "\n" || character === "\t" ? character : codePoint(character),
  );
}

/** Escapes JSON for a terminal, with JSON's own escapes for acting or hidden characters. */
export function escapeJson(json: string, escaping?: Escaping): string {
  return replaceUnsafe(json, (character) => (character === "\n" ? character : codeUnits(character)), "", escaping);
}

/** Escapes JSON for a pipe, with JSON's own escapes for the control characters that JSON allows. */
export function escapePipedJson(json: string): string {
  return json.replace(/[\x7f-\x9f]/g, codeUnits);
}

/** Escapes YAML for a terminal; texts with such characters are double-quoted already. */
export function escapeYaml(yaml: string): string {
  return replaceUnsafe(yaml, (character) =>
    character === "\n" ? character : `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`,
  );
}

/** Formats a cell of flat output (promises 3) reversibly: backslash, tab, LF, and CR as `\\`, `\t`, `\n`, `\r`. */
export function escapeFlatCell(text: string): string {
  return replaceUnsafe(text, (character) => SHORT[character] ?? codePoint(character), "\\");
}

const SHORT: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** Returns whether `visible` would leave a text unchanged. */
export function needsNoEscape(text: string): boolean {
  return visible(text) === text;
}

function codePoint(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

function codeUnits(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
