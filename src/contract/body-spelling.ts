import { wireAmount } from "./amount.ts";
import type { JsonObject, JsonValue } from "./json.ts";

/**
 * An integer that is written as a text of digits or of `0x` digits, as the real service takes amounts (service-facts 5.3,
 * 4.3), read exactly; whatever else it is stays.
 */
export function writtenInteger(value: JsonValue): JsonValue {
  return typeof value === "string" ? (wireAmount(value) ?? value) : value;
}

/** A body without those of these members that are null: where null says no more than nothing at all. */
export function withoutNull(body: JsonObject, members: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(body).filter(([member, value]) => value !== null || !members.includes(member)),
  );
}
