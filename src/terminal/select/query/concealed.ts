import { isJsonObject, type JsonValue, NumberLiteral } from "../../../contract/json.ts";
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
  /** Converts a result of the library back to JSON, with every digit, and the data too. */
  reveal(result: unknown): JsonValue;
}

/** A result that JavaScript has rounded, or that is not a number. */
export class RoundedResult extends Error {
  override readonly name = "RoundedResult";
}

/** Replaces numbers that would lose digits with symbols, in the value itself: a copy of a list would take as much memory again. */
export function conceal(value: JsonValue): Concealed {
  const concealer = new Concealer();
  const data = concealer.concealed(value);
  const { holdsLargeText } = concealer;
  return { data, holdsLarge: concealer.symbols.size > 0, holdsLargeText, reveal: (result) => concealer.reveal(result) };
}

class Concealer {
  readonly symbols = new Map<string, symbol>();
  holdsLargeText = false;
  private readonly numbers = new Map<unknown, JsonValue>();
  /** The objects and lists in which symbols are. */
  private readonly changed = new Set<unknown>();

  concealed(value: JsonValue): unknown {
    if (typeof value === "string") this.holdsLargeText ||= /^-?[0-9]{16,}$/.test(value);
    if (value instanceof NumberLiteral || typeof value === "bigint") return this.symbolFor(value);
    if (typeof value === "number" && isRounded(value)) return this.symbolFor(value);
    if (replaceIn(value, (given) => this.concealed(given as JsonValue))) this.changed.add(value);
    return value;
  }

  reveal(result: unknown): JsonValue {
    const revealed = this.revealed(result);
    for (const value of this.changed) replaceIn(value, (given) => this.numbers.get(given) ?? given);
    return revealed;
  }

  private revealed(result: unknown): JsonValue {
    const number = this.numbers.get(result);
    if (number !== undefined) return number;
    if (typeof result === "number" && isRounded(result))
      throw new RoundedResult("computes a number beyond 2^53, which JMESPath rounds");
    if (typeof result === "string" || typeof result === "number" || typeof result === "boolean") return result;
    if (!Array.isArray(result) && !isJsonObject(result)) return null;
    if (!this.changed.has(result)) replaceIn(result, (given) => this.revealed(given));
    return result;
  }

  private symbolFor(value: number | bigint | NumberLiteral): symbol {
    const digits = String(value);
    const symbol = this.symbols.get(digits) ?? Symbol(digits);
    this.symbols.set(digits, symbol);
    this.numbers.set(symbol, value);
    return symbol;
  }
}

/** Replaces the fields of an object or the items of a list. Returns whether any was replaced by another value. */
function replaceIn(value: unknown, replaced: (given: unknown) => unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const fields = value as Record<string, unknown>;
  let isChanged = false;
  for (const key of Object.keys(fields)) {
    const other = replaced(fields[key]);
    if (other === fields[key]) continue;
    // A field may be named `__proto__`.
    Object.defineProperty(fields, key, { value: other });
    isChanged = true;
  }
  return isChanged;
}
