import { LONGEST_NUMBER } from "../decimal.ts";
import { isJsonInteger, type JsonValue, NumberLiteral } from "../json.ts";

/**
 * Returns the integer of a value from the service, which writes amounts as JSON integers, as strings of digits, and as
 * `0x` strings (facts 5.2); all three are equivalent. Returns undefined for a text that is too long to be a number.
 */
export function wireAmount(value: JsonValue | undefined): bigint | undefined {
  if (isJsonInteger(value)) return BigInt(value);
  const text = value instanceof NumberLiteral ? value.text : value;
  if (typeof text !== "string" || text.length > LONGEST_NUMBER) return undefined;
  if (text === value) return /^(?:[0-9]+|0x[0-9a-f]+)$/i.test(text) ? BigInt(text) : undefined;
  return /^[0-9]+\.0+$/.test(text) ? BigInt(text.split(".")[0] ?? "") : undefined;
}
