import { isJsonObject, type JsonValue } from "./values.ts";

/** Returns the value that names and indexes lead to; undefined if there is none. */
export function valueAt(value: JsonValue | undefined, path: readonly PropertyKey[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(memberOf, value);
}

function memberOf(value: JsonValue | undefined, key: PropertyKey): JsonValue | undefined {
  if (Array.isArray(value)) return value[Number(key)];
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[String(key)] : undefined;
}
