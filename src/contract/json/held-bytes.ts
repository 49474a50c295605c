import {
  asReceived,
  isIntegerJsonKey,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  NumberLiteral,
} from "./values.ts";

const TEXT = 32;
const NUMBER = 16;
const OBJECT = 104;
const FIELD = 12;
/** An object with more fields is a hash table. */
const MANY_FIELDS = 64;
const FIELD_OF_MANY = 64;
/** Bytes of a new sequence of keys: a hidden class in V8, and a shape here. */
const SHAPE = 600;
const ORDERED_NAME = 400;
const EMPTY_ARRAY = 40;
const ARRAY = 176;
const ITEM = 12;
/** Shorter texts count two bytes per character; longer ones are searched for wide characters. */
const SHORT = 64;
const TWO_BYTES = /[^\0-\xff]/;

/** A sequence of keys at the start of objects. Most sequences are always followed by the same key. */
class Shape {
  private name: string | undefined;
  private usual: Shape | undefined;
  private others: Map<string, Shape> | undefined;

  with(name: string): Shape | undefined {
    return name === this.name ? this.usual : this.others?.get(name);
  }

  add(name: string): Shape {
    const added = new Shape();
    if (this.usual) this.others = (this.others ?? new Map()).set(name, added);
    else {
      this.name = name;
      this.usual = added;
    }
    return added;
  }
}

/** Returns a function that estimates bytes in V8's heap, rather too many. Shared shapes count once. */
export function createHeldBytes(): (value: JsonValue) => number {
  const empty = new Shape();

  function fieldsBytes(value: JsonObject): number {
    let shape = empty;
    let fields = 0;
    let bytes = OBJECT;
    for (const name in value) {
      bytes += heldBytes(asReceived(value, name) ?? null);
      if (isIntegerJsonKey(name)) bytes += ORDERED_NAME;
      if (++fields > MANY_FIELDS) bytes += FIELD_OF_MANY + textBytes(name);
      else {
        const known: Shape | undefined = shape.with(name);
        if (!known) bytes += SHAPE + textBytes(name);
        shape = known ?? shape.add(name);
      }
    }
    return bytes + FIELD * fields;
  }

  function arrayBytes(items: readonly JsonValue[]): number {
    if (items.length === 0) return EMPTY_ARRAY;
    let bytes = ARRAY + ITEM * items.length;
    for (const item of items) bytes += heldBytes(item);
    return bytes;
  }

  function heldBytes(value: JsonValue): number {
    if (typeof value === "string") return textBytes(value);
    if (typeof value === "number") return Number.isInteger(value) ? 0 : NUMBER;
    if (typeof value === "bigint") return NUMBER + String(value).length;
    return typeof value === "object" && value !== null ? nestedBytes(value) : 0;
  }

  function nestedBytes(value: JsonArray | JsonObject | NumberLiteral): number {
    if (Array.isArray(value)) return arrayBytes(value);
    return value instanceof NumberLiteral ? NUMBER + textBytes(value.text) : fieldsBytes(value);
  }

  return heldBytes;
}

function textBytes(text: string): number {
  const { length } = text;
  const isWide = length <= SHORT || TWO_BYTES.test(text);
  return TEXT + (isWide ? 2 * length : length);
}
