import { type JsonObject, type JsonValue, keysOf, NumberLiteral } from "./values.ts";

/** Compact JSON. Integers keep every digit, whatever their size. */
export function writeJson(value: JsonValue): string {
  return write(value, "", "");
}

/** JSON with two spaces of indentation, as `-o json` prints it. No line end at the end. */
export function prettyJson(value: JsonValue): string {
  return write(value, "  ", "\n");
}

function write(value: JsonValue, step: string, newline: string): string {
  if (value === null || typeof value !== "object") return writeScalar(value);
  if (value instanceof NumberLiteral) return value.text;
  const inner = newline + (newline && step);
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    return `[${inner}${value.map((item) => write(item, step, inner)).join(`,${inner}`)}${newline}]`;
  }
  const keys = keysOf(value).filter((key) => value[key] !== undefined);
  if (keys.length === 0) return "{}";
  const colon = newline ? ": " : ":";
  const members = keys.map((key) => quote(key) + colon + write(member(value, key), step, inner));
  return `{${inner}${members.join(`,${inner}`)}${newline}}`;
}

function member(object: JsonObject, key: string): JsonValue {
  return object[key] as JsonValue;
}

function writeScalar(value: null | boolean | string | number | bigint): string {
  if (typeof value === "string") return quote(value);
  if (typeof value === "number" && !Number.isFinite(value)) throw new RangeError("not a JSON number");
  return Object.is(value, -0) ? "-0" : String(value);
}

function quote(text: string): string {
  return JSON.stringify(text);
}
