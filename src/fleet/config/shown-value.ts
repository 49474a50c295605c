import { isJsonObject, type JsonValue, NumberLiteral, writeJson } from "../../contract/json.ts";

/** A longer value is not shown. */
const LONGEST_SHOWN = 200;

/** Returns whether YAML without quotes has a value of this type. */
export function isPlain(value: JsonValue | undefined): boolean {
  return (
    typeof value === "boolean" ||
    typeof value === "number" ||
    typeof value === "bigint" ||
    value instanceof NumberLiteral
  );
}

/** Returns a value as an error quotes it; undefined for one that it does not. */
export function shownValue(value: JsonValue): string | undefined {
  if (Array.isArray(value) || isJsonObject(value)) return undefined;
  const text = typeof value === "string" ? value : value instanceof NumberLiteral ? value.text : writeJson(value);
  return text.length > LONGEST_SHOWN ? undefined : text || "(empty)";
}
