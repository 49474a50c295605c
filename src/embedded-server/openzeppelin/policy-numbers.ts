import { type JsonInteger, type JsonValue, NumberLiteral } from "../../contract/json.ts";
import { MAX_U32, MAX_U64, MAX_U128 } from "../../contract/largest-integers.ts";
import { type Read, ShapeError, unexpected, whole } from "./serde.ts";

export const u8 = whole("u8", 255n);
export const u16 = whole("u16", 65_535n);
export const u32 = whole("u32", MAX_U32);
export const u64 = whole("u64", MAX_U64);

/** Reads a JSON integer up to 2^64 − 1, or a string of digits up to 2^128 − 1 (facts 13.11). */
export const u128: Read<JsonInteger> = (value) => {
  if (typeof value !== "string") return integer(value);
  if (value === "") throw new ShapeError("cannot parse integer from empty string");
  if (!/^[0-9]+$/.test(value)) throw new ShapeError("invalid digit found in string");
  if (BigInt(value) > MAX_U128) throw new ShapeError("number too large to fit in target type");
  return BigInt(value);
};

function integer(value: JsonValue): JsonInteger {
  if ((typeof value === "number" || typeof value === "bigint") && value < 0) {
    throw new ShapeError("negative value cannot be converted to u128");
  }
  return whole("a string containing a u128 number or a u128 integer", MAX_U128)(value);
}

/**
 * Reads a number that is written with a decimal point from then on, like every float of the service (recorded,
 * policies).
 */
export const f32: Read<JsonValue> = (value) => {
  if (value === null || !Number.isFinite(Number(String(value))) || typeof value === "string")
    throw unexpected(value, "f32");
  return Number.isInteger(value) ? new NumberLiteral(`${Number(value)}.0`) : value;
};
