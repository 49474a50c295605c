import type { JsonObject, JsonValue } from "../../contract/json.ts";
import type { Handler } from "../handler.ts";

/** Returns a handler whose data, a resource or a list, is converted by `show`. */
export function shownAs(show: (resource: JsonObject) => JsonObject, handler: Handler): Handler {
  return async (call) => {
    const success = await handler(call);
    return "text" in success ? success : { ...success, data: shownData(success.data, show) };
  };
}

function shownData(data: JsonValue, show: (resource: JsonObject) => JsonObject): JsonValue {
  return Array.isArray(data) ? data.map((item) => show(item as JsonObject)) : show(data as JsonObject);
}

/** Returns the fields in this order, then any others; unset fields are omitted. */
export function ordered(resource: JsonObject, names: readonly string[]): JsonObject {
  const shown: JsonObject = {};
  const add = (name: string) => {
    const value = resource[name] ?? null;
    if (value !== null) shown[name] = value;
  };
  names.forEach(add);
  Object.keys(resource).forEach(add);
  return shown;
}
