import { elseOnError, undefinedOnError } from "../../errors.ts";
import { strictUtf8 } from "../encoding/utf8.ts";
import { JsonScanner } from "./scanner.ts";
import { JsonSyntaxError } from "./syntax-error.ts";
import {
  isIntegerJsonKey,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  newJsonObject,
  rememberJsonKeyOrder,
} from "./values.ts";

export interface ParseLimits {
  /** The maximum nesting of objects and arrays. */
  depth?: number;
  /** The maximum number of values: it limits the memory that a small text can cost. */
  values?: number;
}

export const MAX_DEPTH = 128;
const MAX_VALUES = 4_000_000;
const [QUOTE, OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY, COMMA] = [0x22, 0x7b, 0x7d, 0x5b, 0x5d, 0x2c];
const [LETTER_F, LETTER_N, LETTER_T] = [0x66, 0x6e, 0x74];

/** Stricter than RFC 8259: refuses what parsers disagree about, e.g. duplicate keys. Throws a JsonSyntaxError. */
export function parseJson(text: string, limits: ParseLimits = {}): JsonValue {
  return new Parser(text, limits).document();
}

/** Parses JSON, or throws what a function makes of the mistake in it. */
export function parseJsonOr(text: string, errorFor: (mistake: JsonSyntaxError) => Error): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    throw error instanceof JsonSyntaxError ? errorFor(error) : error;
  }
}

export function tryParseJson(json: string | Uint8Array, limits?: ParseLimits): JsonValue | undefined {
  const text = typeof json === "string" ? json : strictUtf8(json)?.replace(/^\ufeff/, "");
  if (text === undefined) return undefined;
  return undefinedOnError(JsonSyntaxError, () => parseJson(text, limits));
}

/** Parses JSON whose numbers don't matter, faster: long numbers are rounded, and the last duplicate counts. */
export function parseRoundedJson(text: string): JsonValue | undefined {
  return elseOnError(() => JSON.parse(text) as JsonValue);
}

class Parser extends JsonScanner {
  private readonly maxDepth: number;
  private valuesLeft: number;

  constructor(text: string, { depth = MAX_DEPTH, values = MAX_VALUES }: ParseLimits) {
    super(text);
    this.maxDepth = depth;
    this.valuesLeft = values;
  }

  document(): JsonValue {
    if (this.text.charCodeAt(0) === 0xfeff) this.fail("a byte order mark");
    const value = this.value(0);
    this.skipSpace();
    if (this.at < this.text.length) this.fail("unexpected text after the end of the document");
    return value;
  }

  protected value(depth: number): JsonValue {
    this.skipSpace();
    if (this.valuesLeft-- <= 0) this.fail("too many values");
    switch (this.text.charCodeAt(this.at)) {
      case QUOTE:
        return this.string();
      case OPEN_OBJECT:
        return this.object(depth + 1);
      case OPEN_ARRAY:
        return this.array(depth + 1);
      case LETTER_T:
        return this.word("true", true);
      case LETTER_F:
        return this.word("false", false);
      case LETTER_N:
        return this.word("null", null);
      default:
        return this.number();
    }
  }

  private object(depth: number): JsonObject {
    const start = this.at;
    this.enter(depth);
    const object = newJsonObject();
    let order: string[] | undefined;
    let fields = 0;
    if (this.take(CLOSE_OBJECT)) return object;
    do {
      const key = this.key();
      if (isIntegerJsonKey(key)) order ??= Object.keys(object);
      order?.push(key);
      object[key] = this.value(depth);
      fields++;
    } while (this.take(COMMA));
    this.expect("}");
    if (fieldCount(object) !== fields) this.failAtRepeated(start, depth);
    if (order) rememberJsonKeyOrder(object, order);
    return object;
  }

  private key(): string {
    this.skipSpace();
    if (this.text.charCodeAt(this.at) !== QUOTE) this.fail("expected a field name in quotes");
    const key = this.string();
    this.expect(":");
    return key;
  }

  /** Throws for a duplicate key. Checking on insertion would double the time, so this runs only for the error. */
  private failAtRepeated(start: number, depth: number): never {
    const seen = new Set<string>();
    this.at = start + 1;
    this.valuesLeft = MAX_VALUES;
    for (;;) {
      this.skipSpace();
      const place = this.at;
      const key = this.key();
      if (seen.has(key)) this.fail("duplicate field name", place);
      seen.add(key);
      this.value(depth);
      this.expect(",");
    }
  }

  private array(depth: number): JsonArray {
    this.enter(depth);
    const array: JsonArray = [];
    if (this.take(CLOSE_ARRAY)) return array;
    do array.push(this.value(depth));
    while (this.take(COMMA));
    this.expect("]");
    return array;
  }

  private enter(depth: number): void {
    if (depth > this.maxDepth) this.fail("too many levels");
    this.at++;
  }
}

/** Counts keys in place, twice as fast as making a list of them. */
function fieldCount(object: JsonObject): number {
  let count = 0;
  for (const _ in object) count++;
  return count;
}
