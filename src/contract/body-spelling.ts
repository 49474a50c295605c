import { wireAmount } from "./amount.ts";
import type { JsonObject, JsonValue } from "./json.ts";

/**
 * Parses an integer in a string of decimal or `0x` digits exactly, as the real service accepts amounts (facts 5.3,
 * 4.3); returns any other value unchanged.
 */
export function writtenInteger(value: JsonValue): JsonValue {
  return typeof value === "string" ? (wireAmount(value) ?? value) : value;
}

/** Returns a body without these fields if they are null, which means the same as absent. */
export function withoutNull(body: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([field, value]) => value !== null || !fields.includes(field)));
}
