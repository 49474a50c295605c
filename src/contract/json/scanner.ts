import { JsonSyntaxError } from "./syntax-error.ts";
import { type JsonValue, NumberLiteral } from "./values.ts";

/** A longer integer stays as it is written: reading millions of digits into a bigint takes seconds. */
const MAX_DIGITS = 400;

const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
const PLAIN_TEXT = /[^"\\\u0000-\u001f]*/y;
const ESCAPES: Record<string, string> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** Reads the smallest parts of JSON, one after the other: texts, numbers, words and what stands between. */
export class JsonScanner {
  protected at = 0;
  protected readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  protected string(): string {
    const start = this.at;
    this.at++;
    let result = "";
    for (;;) {
      PLAIN_TEXT.lastIndex = this.at;
      PLAIN_TEXT.test(this.text);
      result += this.text.slice(this.at, PLAIN_TEXT.lastIndex);
      this.at = PLAIN_TEXT.lastIndex;
      const next = this.text[this.at];
      if (next === '"') break;
      if (next !== "\\") this.fail(next === undefined ? "a text that does not end" : "a control character in a text");
      result += this.escape();
    }
    this.at++;
    if (!result.isWellFormed()) this.fail("a lone surrogate", start);
    return result;
  }

  private escape(): string {
    const letter = this.text[this.at + 1] ?? "";
    const plain = ESCAPES[letter];
    if (plain !== undefined) {
      this.at += 2;
      return plain;
    }
    const hex = this.text.slice(this.at + 2, this.at + 6);
    if (letter !== "u" || !/^[0-9a-fA-F]{4}$/.test(hex)) this.fail("an unknown escape");
    this.at += 6;
    return String.fromCharCode(Number.parseInt(hex, 16));
  }

  protected number(): JsonValue {
    NUMBER.lastIndex = this.at;
    const found = NUMBER.exec(this.text);
    if (!found) this.fail(this.at < this.text.length ? "a value was expected" : "the text ends too early");
    this.at = NUMBER.lastIndex;
    return numberOf(found[0], found[1] === undefined && found[2] === undefined);
  }

  protected word<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) this.fail("a value was expected");
    this.at += word.length;
    return value;
  }

  protected take(character: string): boolean {
    this.skipSpace();
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  protected expect(character: string): void {
    if (!this.take(character)) this.fail(`${character} was expected`);
  }

  protected skipSpace(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.at++;
    }
  }

  protected fail(reason: string, offset = this.at): never {
    throw new JsonSyntaxError(reason, this.text, offset);
  }
}

function numberOf(text: string, integer: boolean): JsonValue {
  const number = Number(text);
  if (String(number) === text && (Number.isSafeInteger(number) || !integer)) return number;
  return integer && text !== "-0" && text.length <= MAX_DIGITS ? BigInt(text) : new NumberLiteral(text);
}
