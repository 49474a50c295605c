import { wireAmount } from "./amount.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";

/** Fields that the service writes as an integer, as a string of digits, or as a `0x` string (facts 4.3, 5.2). */
const AMOUNTS = new Set([
  "value",
  "gas_price",
  "gas_limit",
  "max_fee_per_gas",
  "max_priority_fee_per_gas",
  "nonce",
  "gas_price_cap",
  "min_balance",
]);

/** Fields with hex, whose case means nothing but a checksum. */
const HEX = new Set(["to", "data", "address", "whitelist_receivers"]);

/** 32-bit floats, of which a service may return all digits: 0.10000000149011612 for 0.1 (facts 4.3). */
const SINGLES = new Set(["slippage_percentage", "fee_margin_percentage"]);

/** Returns whether two numbers of a field that are not equal are the same to the service. */
export function isSameSpelledNumber(field: string, one: string, other: string): boolean {
  return SINGLES.has(field) && Math.fround(Number(one)) === Math.fround(Number(other));
}

/** Returns how to compare two texts of this field: a name, an ID, or a URL must match exactly. */
export function spellingOf(field: string): "amount" | "hex" | "text" {
  if (AMOUNTS.has(field)) return "amount";
  return HEX.has(field) ? "hex" : "text";
}

/** Returns a memo with a hash of 32 integers in the real service's spelling (facts 5.7). */
export function hexMemo(memo: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(memo) || !Array.isArray(memo.value)) return undefined;
  return { ...memo, value: memo.value.map((byte) => Number(byte).toString(16).padStart(2, "0")).join("") };
}

/** Parses an integer in decimal or `0x` digits exactly, like the service (facts 5.3); others are unchanged. */
export function spelledInteger(value: JsonValue): JsonValue {
  return typeof value === "string" ? (wireAmount(value) ?? value) : value;
}

/** Returns a body without these fields if they are null, which means the same as absent. */
export function omitNulls(body: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([field, value]) => value !== null || !fields.includes(field)));
}
