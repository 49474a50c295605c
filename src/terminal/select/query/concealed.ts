import {
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  keysOf,
  NumberLiteral,
  newObject,
} from "../../../contract/json.ts";
import { isRounded } from "./computing.ts";

/**
 * Data in which a symbol replaces every number that JavaScript would round; the library can only pass symbols through.
 */
export interface Concealed {
  data: unknown;
  /** Whether the data contains a number that JavaScript would round. */
  holdsLarge: boolean;
  /** Whether a text in the data contains one. */
  holdsLargeText: boolean;
  /** Converts a result of the library back to JSON, with every digit. */
  reveal(result: unknown): JsonValue;
}

/** A result that JavaScript has rounded, or that is not a number. */
export class RoundedResult extends Error {
  override readonly name = "RoundedResult";
}

/** Replaces numbers that would lose digits with symbols. */
export function conceal(value: JsonValue): Concealed {
  const concealer = new Concealer();
  const data = concealer.conceal(value);
  const { holdsLargeText } = concealer;
  return { data, holdsLarge: concealer.symbols.size > 0, holdsLargeText, reveal: (result) => concealer.reveal(result) };
}

class Concealer {
  readonly symbols = new Map<string, symbol>();
  holdsLargeText = false;
  private readonly numbers = new Map<unknown, JsonValue>();
  /** Maps each replacement of an object or array to the original, with its key order. */
  private readonly originals = new Map<unknown, JsonValue>();

  conceal(value: JsonValue): unknown {
    if (typeof value === "string") this.holdsLargeText ||= /^-?[0-9]{16,}$/.test(value);
    if (value instanceof NumberLiteral || typeof value === "bigint") return this.symbolFor(value);
    if (typeof value === "number" && isRounded(value)) return this.symbolFor(value);
    if (typeof value !== "object" || value === null) return value;
    const concealed = Array.isArray(value) ? value.map((item) => this.conceal(item)) : this.concealFields(value);
    this.originals.set(concealed, value);
    return concealed;
  }

  reveal(result: unknown): JsonValue {
    const original = this.originals.get(result) ?? this.numbers.get(result);
    if (original !== undefined) return original;
    if (typeof result === "number" && isRounded(result))
      throw new RoundedResult("computes a number beyond 2^53, which JMESPath rounds");
    if (typeof result === "string" || typeof result === "number" || typeof result === "boolean") return result;
    if (Array.isArray(result)) return this.revealItems(result);
    return isJsonObject(result) ? this.revealFields(result) : null;
  }

  private concealFields(value: JsonObject): object {
    const fields: Record<string, unknown> = newObject();
    for (const key of keysOf(value)) fields[key] = this.conceal(value[key] ?? null);
    return fields;
  }

  private revealItems(items: readonly unknown[]): JsonArray {
    return items.map((item) => this.reveal(item));
  }

  private revealFields(fields: JsonObject): JsonObject {
    const revealed = newObject();
    for (const key of Object.keys(fields)) revealed[key] = this.reveal(fields[key]);
    return revealed;
  }

  private symbolFor(value: number | bigint | NumberLiteral): symbol {
    const digits = String(value);
    const symbol = this.symbols.get(digits) ?? Symbol(digits);
    this.symbols.set(digits, symbol);
    this.numbers.set(symbol, value);
    return symbol;
  }
}
