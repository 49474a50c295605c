import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";

/** Returns a body of a plan with the secrets in place of their references, and whether it has any. */
export function resolvedBody(
  body: JsonObject,
  secrets: ReadonlyMap<string, string>,
): { body: JsonObject; isSecret: boolean } {
  let isSecret = false;
  const visit = (value: JsonValue): JsonValue => {
    if (typeof value === "string") {
      const secret = secrets.get(value);
      isSecret ||= secret !== undefined;
      return secret ?? value;
    }
    if (Array.isArray(value)) return value.map(visit);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, visit(member)]));
  };
  return { body: visit(body) as JsonObject, isSecret };
}
