import { isJsonInteger, type JsonValue, NumberLiteral } from "../json.ts";

/**
 * The integer that a value on the wire stands for. The service writes amounts as JSON integers, as decimal strings and
 * as `0x` strings (service-facts 5.2), and the three are equal here.
 */
export function wireAmount(value: JsonValue | undefined): bigint | undefined {
  if (isJsonInteger(value)) return BigInt(value);
  if (typeof value === "string" && /^(?:[0-9]+|0x[0-9a-f]+)$/i.test(value)) return BigInt(value);
  if (value instanceof NumberLiteral && /^[0-9]+\.0+$/.test(value.text)) return BigInt(value.text.split(".")[0] ?? "");
  return undefined;
}
