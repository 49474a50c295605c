import { copyObject, isJsonObject, type JsonObject, type JsonValue, keysOf } from "../../contract/json.ts";
import { maskRpcUrl, RPC_URL_FIELDS } from "../../contract/rpc-url.ts";
import { isSecretPath } from "../../contract/secret-fields.ts";
import type { DesiredResource } from "../desired.ts";
import { hiddenIn } from "../hidden.ts";

/**
 * Returns a body with references in place of the secrets of a resource, and adds each reference with its text to a map.
 * @throws Error if a secret has no reference
 */
export function withReferences(body: JsonObject, desired: DesiredResource, secrets: Map<string, string>): JsonObject {
  return replaced(body, "", (text, path) => {
    const reference = desired.references.get(path);
    if (reference !== undefined) {
      secrets.set(reference, text);
      return reference;
    }
    if (isSecret(text, path)) throw new Error(`${desired.noun} ${desired.id}: no reference for ${path}`);
    return text;
  });
}

/** Returns the paths of what a file leaves out: it cannot be sent. */
export function hiddenPaths(fields: JsonObject): string[] {
  const paths: string[] = [];
  replaced(fields, "", (text, path) => {
    if (hiddenIn(text) !== undefined) paths.push(path);
    return text;
  });
  return paths;
}

/** An empty text removes a secret and is none itself. */
function isSecret(text: string, path: string): boolean {
  if (isSecretPath(path)) return text !== "";
  const [list, , member] = path.split(".");
  return member === "url" && RPC_URL_FIELDS.some((name) => name === list) && maskRpcUrl(text) !== text;
}

/** Returns an object with other texts. */
function replaced(object: JsonObject, at: string, replace: (text: string, path: string) => string): JsonObject {
  const copy = copyObject({});
  for (const name of keysOf(object))
    copy[name] = replacedValue(object[name] ?? null, at === "" ? name : `${at}.${name}`, replace);
  return copy;
}

function replacedValue(value: JsonValue, path: string, replace: (text: string, path: string) => string): JsonValue {
  if (typeof value === "string") return replace(value, path);
  if (Array.isArray(value)) return value.map((item, index) => replacedValue(item, `${path}.${index}`, replace));
  return isJsonObject(value) ? replaced(value, path, replace) : value;
}
