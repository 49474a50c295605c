import { type JsonObject, type JsonValue, jsonLeavesIn, withJsonLeaves } from "../../contract/json.ts";
import { maskRpcUrl, RPC_URL_FIELDS } from "../../contract/rpc-url.ts";
import { isSecretFieldPath } from "../../contract/secret-fields.ts";
import type { DesiredResource } from "../desired-fleet.ts";
import { hiddenIn } from "../hidden.ts";

/** The values that a plan's body does not contain, by dotted path. */
export type ReferredValues = ReadonlyMap<string, { reference: string; value: JsonValue }>;

/** Returns a body with references, and the values that they replace. @throws Error for a secret without a reference */
export function bodyWithReferences(body: JsonObject, desired: DesiredResource) {
  const referred = new Map<string, { reference: string; value: JsonValue }>();
  const shown = withJsonLeaves(body, (value, path) => {
    const reference = value === "" || value === null ? undefined : desired.references.get(path);
    if (reference !== undefined) {
      referred.set(path, { reference, value });
      return reference;
    }
    if (typeof value === "string" && isSecret(value, path))
      throw new Error(`${desired.noun} ${desired.id}: no reference for ${path}`);
    return value;
  });
  return { body: shown as JsonObject, referred };
}

export function bodyWithValues(body: JsonObject, referred: ReadonlyMap<string, { value: JsonValue }>): JsonObject {
  return withJsonLeaves(body, (leaf, path) => referred.get(path)?.value ?? leaf) as JsonObject;
}

/** Returns the paths of values that a file leaves out, so that they can't be sent. */
export function hiddenBodyPaths(fields: JsonObject): string[] {
  return jsonLeavesIn(fields).flatMap(({ leaf, path }) => (hiddenIn(leaf) === undefined ? [] : path));
}

/** An empty text removes a secret and is not secret. */
function isSecret(text: string, path: string): boolean {
  if (isSecretFieldPath(path)) return text !== "";
  const [list, , member] = path.split(".");
  return member === "url" && RPC_URL_FIELDS.some((name) => name === list) && maskRpcUrl(text) !== text;
}
