import { wireAmount } from "./amount.ts";
import type { JsonObject, JsonValue } from "./json.ts";

/**
 * Reads an integer that is a string of digits or `0x` digits, as the real service accepts amounts (facts 5.3, 4.3),
 * exactly; any other value stays.
 */
export function writtenInteger(value: JsonValue): JsonValue {
  return typeof value === "string" ? (wireAmount(value) ?? value) : value;
}

/** A body without those of these members that are null: where null says no more than nothing at all. */
export function withoutNull(body: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([field, value]) => value !== null || !fields.includes(field)));
}
