import { isJsonObject, type JsonObject, type JsonValue } from "../../../contract/json.ts";

/**
 * Copies an object with a field set by its dotted path. Missing parent objects are added, since the service merges them
 * (facts 4.5).
 */
export function withField(object: JsonObject, path: string, value: JsonValue): JsonObject {
  const [head = "", ...rest] = path.split(".");
  if (rest.length === 0) return { ...object, [head]: value };
  const inner = object[head];
  return { ...object, [head]: withField(isJsonObject(inner) ? inner : {}, rest.join("."), value) };
}
