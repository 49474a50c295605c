import { JsonScanner } from "./scanner.ts";
import { type JsonArray, type JsonObject, type JsonValue, newObject, rememberKeyOrder } from "./values.ts";

export interface ParseLimits {
  /** How many objects and arrays may stand inside one another. */
  depth?: number;
  /** How many values there may be in all: what a small text can cost in memory. */
  values?: number;
}

const MAX_DEPTH = 128;
const MAX_VALUES = 4_000_000;
/** Keys that JavaScript moves to the front of an object. */
const INTEGER_KEY = /^(?:0|[1-9][0-9]{0,9})$/;

/**
 * Reads JSON without changing a digit. Stricter than RFC 8259 asks for: a key given twice, a lone surrogate, a byte
 * order mark and anything beyond the limits are refused, since two readers would disagree about them.
 * @throws JsonSyntaxError
 */
export function parseJson(text: string, limits: ParseLimits = {}): JsonValue {
  return new Parser(text, limits.depth ?? MAX_DEPTH, limits.values ?? MAX_VALUES).document();
}

class Parser extends JsonScanner {
  private readonly maxDepth: number;
  private valuesLeft: number;

  constructor(text: string, maxDepth: number, maxValues: number) {
    super(text);
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
    const object = newObject();
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

  private enter(depth: number): void {
    if (depth > this.maxDepth) this.fail("too many levels");
    this.at++;
  }
}
