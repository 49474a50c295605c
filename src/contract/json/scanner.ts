import { JsonSyntaxError } from "./syntax-error.ts";
import { isRoundedNumber, type JsonValue, jsonInteger, NumberLiteral } from "./values.ts";

/** A longer integer stays a literal: parsing millions of digits into a bigint takes seconds. */
const MAX_DIGITS = 400;
/** Integers with this many digits are below 2^53. */
const SAFE_DIGITS = 15;

const HEX = /^[0-9a-fA-F]{4}$/;
const [QUOTE, BACKSLASH, SPACE, ZERO] = [0x22, 0x5c, 0x20, 0x30];
/** The first UTF-16 unit that may be half of a pair. */
const FIRST_SURROGATE = 0xd800;

export class JsonScanner {
  protected at = 0;
  protected readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  protected string(): string {
    const start = this.at;
    let isPlain = true;
    let at = start + 1;
    for (;;) {
      const unit = this.text.charCodeAt(at);
      if (unit === QUOTE) break;
      if (unit >= FIRST_SURROGATE) isPlain = false;
      if (unit === BACKSLASH) {
        isPlain = false;
        at = this.afterEscape(at);
      } else if (unit >= SPACE) at++;
      else
        this.fail(at < this.text.length ? "a control character in a string" : "a string without a closing quote", at);
    }
    this.at = at + 1;
    return isPlain ? this.text.slice(start + 1, at) : this.decoded(start);
  }

  private afterEscape(at: number): number {
    const letter = this.text[at + 1] ?? "";
    if ('"\\/bfnrt'.includes(letter) && letter !== "") return at + 2;
    if (letter !== "u" || !HEX.test(this.text.slice(at + 2, at + 6))) this.fail("an unknown escape", at);
    return at + 6;
  }

  /** Decodes a validated text with escapes. Joining it piece by piece would take thirty times its memory. */
  private decoded(start: number): string {
    const result = JSON.parse(this.text.slice(start, this.at)) as string;
    if (!result.isWellFormed()) this.fail("a lone surrogate", start);
    return result;
  }

  protected number(): JsonValue {
    const start = this.at;
    let at = start;
    let value = 0;
    for (; ; at++) {
      const digit = this.text.charCodeAt(at) - ZERO;
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
    }
    const digits = at - start;
    if (digits > 1 ? this.text.charCodeAt(start) === ZERO : digits === 0) return this.anyNumber();
    if (".eE".includes(this.text[at] ?? " ") || digits > MAX_DIGITS) return this.anyNumber();
    this.at = at;
    return digits <= SAFE_DIGITS ? value : jsonInteger(BigInt(this.text.slice(start, at)));
  }

  private anyNumber(): JsonValue {
    const number = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
    number.lastIndex = this.at;
    const found = number.exec(this.text);
    if (!found) this.fail(this.at < this.text.length ? "expected a value" : "unexpected end of the text");
    this.at = number.lastIndex;
    return numberFrom(found[0], found[1] === undefined && found[2] === undefined);
  }

  protected word<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) this.fail("expected a value");
    this.at += word.length;
    return value;
  }

  protected take(unit: number): boolean {
    this.skipSpace();
    if (this.text.charCodeAt(this.at) !== unit) return false;
    this.at++;
    return true;
  }

  protected expect(character: string): void {
    if (!this.take(character.charCodeAt(0))) this.fail(`expected ${character}`);
  }

  protected skipSpace(): void {
    for (;;) {
      const unit = this.text.charCodeAt(this.at);
      if (unit > SPACE || (unit !== SPACE && unit !== 0x0a && unit !== 0x0d && unit !== 0x09)) return;
      this.at++;
    }
  }

  protected fail(reason: string, offset = this.at): never {
    throw new JsonSyntaxError(reason, this.text, offset);
  }
}

function numberFrom(text: string, integer: boolean): JsonValue {
  const number = Number(text);
  if (String(number) === text && !isRoundedNumber(number)) return number;
  return integer && text !== "-0" && text.length <= MAX_DIGITS ? BigInt(text) : new NumberLiteral(text);
}
