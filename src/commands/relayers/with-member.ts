import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";

/** A copy with a member set by its dotted path; objects on the way are made, since the service merges them (service-facts 4.5). */
export function withMember(object: JsonObject, path: string, value: JsonValue): JsonObject {
  const [head = "", ...rest] = path.split(".");
  if (rest.length === 0) return { ...object, [head]: value };
  const inner = object[head];
  return { ...object, [head]: withMember(isJsonObject(inner) ? inner : {}, rest.join("."), value) };
}
