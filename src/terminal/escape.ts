import { createRemembered } from "./text/remembered.ts";

/** Escapes a text for a terminal, on one line: acting or hidden characters become `\u{1b}`. Idempotent. */
export function escapeText(text: string): string {
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
  return escapeText(text) === text;
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

/** The number of pieces joined at a time, so that their memory is small compared to the text. */
const MOST_PIECES = 4096;

class Pieces {
  private readonly done: string[] = [];
  private pieces: string[] = [];

  add(piece: string): void {
    if (piece === "") return;
    this.pieces.push(piece);
    if (this.pieces.length < MOST_PIECES) return;
    this.done.push(this.pieces.join(""));
    this.pieces = [];
  }

  toString(): string {
    return [...this.done, ...this.pieces].join("");
  }
}

const PLAIN = /^[\x20-\x7e]*$/;

/** Detects controls (C0, C1, DEL), bidi, zero-width, tags, variation selectors, line separators, lone surrogates. */
function hasUnsafe(text: string): boolean {
  return /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(text);
}

const [SAFE, UNSAFE, MAY_BEGIN_EMOJI] = [0, 1, 2];

function computeTrait(character: string): number {
  if (hasUnsafe(character)) return UNSAFE;
  // An emoji can be joined by such characters.
  return /^[#*0-9\p{Extended_Pictographic}]$/u.test(character) ? MAY_BEGIN_EMOJI : SAFE;
}

/** Use one cache for many texts. */
export type Escaping = ReturnType<typeof createEscaping>;

export function createEscaping() {
  return { traitOf: createRemembered(computeTrait), emojiLength: createEmojiLength() };
}

/** The first units of characters that may follow in an emoji: joiner, variation selector, tag, skin tone. */
const [JOINER, SELECTOR, TAG_LEAD, TONE_LEAD] = [0x200d, 0xfe0f, 0xdb40, 0xd83c];

/** Replaces them outside of emoji, in linear time: a pattern of all emoji takes minutes. @param also one more */
export function replaceUnsafe(
  text: string,
  shown: (character: string) => string,
  also = "",
  escaping?: Escaping,
): string {
  const isSafe = PLAIN.test(text) || !hasUnsafe(text);
  if (isSafe && (also === "" || !text.includes(also))) return text;
  const { traitOf, emojiLength } = escaping ?? createEscaping();
  const shownOnce = memoize(shown);
  const alsoUnsafe = also.codePointAt(0);
  const pieces = new Pieces();
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const codePoint = text.codePointAt(at) as number;
    const trait = codePoint === alsoUnsafe ? UNSAFE : traitOf(codePoint);
    if (trait === UNSAFE) {
      pieces.add(text.slice(from, at));
      from = endOfRun(text, at, codePoint);
      pieces.add(shownOnce(codePoint).repeat((from - at) / unitsIn(codePoint)));
      at = from;
    } else at += trait === SAFE ? unitsIn(codePoint) : sizeOfEmoji(text, at, codePoint, emojiLength);
  }
  if (from === 0) return text;
  pieces.add(text.slice(from));
  return pieces.toString();
}

function memoize(shown: (character: string) => string): (codePoint: number) => string {
  const known = new Map<number, string>();
  return (codePoint) => {
    const found = known.get(codePoint) ?? shown(String.fromCodePoint(codePoint));
    known.set(codePoint, found);
    return found;
  };
}

function unitsIn(codePoint: number): number {
  return codePoint > 0xffff ? 2 : 1;
}

function sizeOfEmoji(text: string, at: number, codePoint: number, emojiLength: EmojiLength): number {
  const size = unitsIn(codePoint);
  return isJoined(text.charCodeAt(at + size)) ? emojiLength(text, at) || size : size;
}

function endOfRun(text: string, start: number, codePoint: number): number {
  const size = unitsIn(codePoint);
  let end = start + size;
  while (text.codePointAt(end) === codePoint) end += size;
  return end;
}

function isJoined(next: number): boolean {
  return next === JOINER || next === SELECTOR || next === TAG_LEAD || next === TONE_LEAD;
}

const ELEMENT = "\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?";

/** Matches the form of an emoji joined from several characters. No emoji recommended by Unicode is longer. */
const CANDIDATE = `\\u{1f3f4}[\\u{e0020}-\\u{e007f}]{1,8}|[#*0-9]\\ufe0f\\u20e3|${ELEMENT}(?:\\u200d${ELEMENT}){0,3}`;

/** A text, since the compiler's target lacks the `v` flag; compiling it takes longer than starting Node. */
const RECOMMENDED = "^\\p{RGI_Emoji}";

/** The most cached sequences. A text with more, several times the number of emoji, is not meant to be read. */
const MOST_LOOKED_UP = 8192;

type EmojiLength = (text: string, at: number) => number;

/** Creates a lookup that checks each sequence once. Beyond a maximum, further ones are escaped. */
export function createEmojiLength(mostLookedUp = MOST_LOOKED_UP): EmojiLength {
  const known = new Map<string, number>();
  let candidates: RegExp | undefined;
  let recommended: RegExp | undefined;
  return (text, at) => {
    candidates ??= new RegExp(CANDIDATE, "uy");
    candidates.lastIndex = at;
    const candidate = candidates.exec(text)?.[0];
    if (candidate === undefined) return 0;
    const found = known.get(candidate);
    if (found !== undefined || known.size === mostLookedUp) return found ?? 0;
    recommended ??= new RegExp(RECOMMENDED, "v");
    const length = recommended.exec(candidate)?.[0].length ?? 0;
    known.set(candidate, length);
    return length;
  };
}
