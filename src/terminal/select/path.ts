import { isJsonObject, type JsonObject, type JsonValue, writeJson } from "../../contract/json.ts";

/** The member at a dotted path, as `policies.gas_price_cap`; nothing when there is none. */
export function valueAt(item: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = item;
  for (const key of path.split(".")) {
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

/** A value as flat formats write it: null and absent empty, arrays and objects as compact JSON, every digit kept. */
export function valueText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : writeJson(value);
}

/** The text of the member at a dotted path. */
export function flatValue(item: JsonObject, path: string): string {
  return valueText(valueAt(item, path));
}
