import { isJsonObject, type JsonObject, type JsonValue, writeJson } from "../../contract/json.ts";

/** Returns the field at a dotted path, e.g. `policies.gas_price_cap`; undefined if there is none. */
export function valueAt(item: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = item;
  for (const key of path.split(".")) {
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

/**
 * Returns a value for flat formats: null and absent are empty, arrays and objects are compact JSON, every digit is
 * kept.
 */
export function valueText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : writeJson(value);
}

/** Returns the text of the field at a dotted path. */
export function flatValue(item: JsonObject, path: string): string {
  return valueText(valueAt(item, path));
}
