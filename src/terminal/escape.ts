import { replaceUnsafe } from "./text/replace-unsafe.ts";

/** A text as it may reach a terminal, on one line: what could act or hide is shown as `\u{1b}`. Doing it twice changes nothing. */
export function visible(text: string): string {
  return replaceUnsafe(text, codePoint);
}

/** The same for a text of several lines: line ends and tabs stay. */
export function visibleLines(text: string): string {
  return replaceUnsafe(text, (character) =>
    character === "\n" || character === "\t" ? character : codePoint(character),
  );
}

/** JSON as it may reach a terminal: the same document, with JSON's own escapes for what could act or hide. */
export function visibleJson(json: string): string {
  return replaceUnsafe(json, (character) => (character === "\n" ? character : codeUnits(character)));
}

/** JSON as it may be piped: the same document, with JSON's own escapes for the controls that JSON itself lets stand. */
export function pipedJson(json: string): string {
  return json.replace(/[\x7f-\x9f]/g, codeUnits);
}

/** YAML as it may reach a terminal; every text with such characters stands in double quotes already. */
export function visibleYaml(yaml: string): string {
  return replaceUnsafe(yaml, (character) => (character === "\n" ? character : eightDigits(character)));
}

/**
 * Formats a cell of tsv, csv, name, and key/value output (promises 3): backslash, tab, LF, and CR as `\\`, `\t`, `\n`,
 * `\r`, the rest as `visible` writes it. The text can be read back from it.
 */
export function flatCell(text: string): string {
  return replaceUnsafe(text, (character) => SHORT[character] ?? codePoint(character), "\\");
}

const SHORT: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** Whether a text holds something that `visible` would change. */
export function isVisible(text: string): boolean {
  return visible(text) === text;
}

function codePoint(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

function eightDigits(character: string): string {
  return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`;
}

function codeUnits(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
