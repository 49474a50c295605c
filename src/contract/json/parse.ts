import { type JsonArray, type JsonObject, type JsonValue, NumberLiteral, rememberKeyOrder } from "./values.ts";

/** Why a text is not JSON as this tool accepts it. The message names the place and never quotes the text. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
  readonly line: number;
  readonly column: number;

  constructor(reason: string, text: string, offset: number) {
    const before = text.slice(0, offset);
    const line = before.split("\n").length;
    const column = offset - before.lastIndexOf("\n");
    super(`${reason} at line ${line} column ${column}`);
    this.line = line;
    this.column = column;
  }
}

export interface ParseLimits {
  /** How many objects and arrays may stand inside one another. */
  depth?: number;
  /** How many values there may be in all: what a small text can cost in memory. */
  values?: number;
}

const MAX_DEPTH = 128;
const MAX_VALUES = 20_000_000;

/**
 * Reads JSON without changing a digit. Stricter than RFC 8259 asks for: a key given twice, a lone surrogate, a byte
 * order mark and anything beyond the limits are refused, since two readers would disagree about them.
 * @throws JsonSyntaxError
 */
export function parseJson(text: string, limits: ParseLimits = {}): JsonValue {
  return new Parser(text, limits.depth ?? MAX_DEPTH, limits.values ?? MAX_VALUES).document();
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
const PLAIN_TEXT = /[^"\\\u0000-\u001f]*/y;
const INTEGER_KEY = /^(?:0|[1-9][0-9]{0,9})$/;
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

class Parser {
  private at = 0;
  private readonly text: string;
  private readonly maxDepth: number;
  private valuesLeft: number;

  constructor(text: string, maxDepth: number, maxValues: number) {
    this.text = text;
    this.maxDepth = maxDepth;
    this.valuesLeft = maxValues;
  }

  document(): JsonValue {
    if (this.text.charCodeAt(0) === 0xfeff) this.fail("a byte order mark");
    const value = this.value(0);
    this.skipSpace();
    if (this.at < this.text.length) this.fail("something after the end of the document");
    return value;
  }

  private value(depth: number): JsonValue {
    this.skipSpace();
    if (this.valuesLeft-- <= 0) this.fail("too many values");
    switch (this.text[this.at]) {
      case "{":
        return this.object(depth + 1);
      case "[":
        return this.array(depth + 1);
      case '"':
        return this.string();
      case "t":
        return this.word("true", true);
      case "f":
        return this.word("false", false);
      case "n":
        return this.word("null", null);
      default:
        return this.number();
    }
  }

  private object(depth: number): JsonObject {
    this.enter(depth);
    const object: JsonObject = Object.create(null);
    const keys: string[] = [];
    let reordered = false;
    if (this.take("}")) return object;
    do {
      this.skipSpace();
      const start = this.at;
      if (this.text[start] !== '"') this.fail("a member name in quotes was expected");
      const key = this.string();
      if (key in object) this.fail("a member name that stands there twice", start);
      this.expect(":");
      object[key] = this.value(depth);
      keys.push(key);
      reordered ||= INTEGER_KEY.test(key);
    } while (this.take(","));
    this.expect("}");
    if (reordered) rememberKeyOrder(object, keys);
    return object;
  }

  private array(depth: number): JsonArray {
    this.enter(depth);
    const array: JsonArray = [];
    if (this.take("]")) return array;
    do array.push(this.value(depth));
    while (this.take(","));
    this.expect("]");
    return array;
  }

  private string(): string {
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

  private number(): JsonValue {
    NUMBER.lastIndex = this.at;
    const found = NUMBER.exec(this.text);
    if (!found) this.fail(this.at < this.text.length ? "a value was expected" : "the text ends too early");
    this.at = NUMBER.lastIndex;
    return numberOf(found[0], found[1] === undefined && found[2] === undefined);
  }

  private word<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) this.fail("a value was expected");
    this.at += word.length;
    return value;
  }

  private enter(depth: number): void {
    if (depth > this.maxDepth) this.fail("too many levels");
    this.at++;
  }

  private take(character: string): boolean {
    this.skipSpace();
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  private expect(character: string): void {
    if (!this.take(character)) this.fail(`${character} was expected`);
  }

  private skipSpace(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.at++;
    }
  }

  private fail(reason: string, offset = this.at): never {
    throw new JsonSyntaxError(reason, this.text, offset);
  }
}

function numberOf(text: string, integer: boolean): JsonValue {
  const number = Number(text);
  if (String(number) === text && (Number.isSafeInteger(number) || !integer)) return number;
  return integer && text !== "-0" ? BigInt(text) : new NumberLiteral(text);
}
