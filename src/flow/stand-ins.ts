import { isJsonObject, type JsonObject, type JsonValue } from "../contract/json.ts";
import { maskRpcUrl } from "../contract/rpc-url.ts";

/** A body in which every secret is a shell variable that fails when it is unset. */
export interface StandIns {
  body: JsonObject;
  /** The variables in the order of their appearance, without `$`. */
  variables: readonly string[];
}

/** `${SIGNING_KEY:?}`: a shell stops with an error when the variable is unset, so that no half request is ever sent. */
export function shellVariable(name: string): string {
  return `\${${name}:?}`;
}

/**
 * Replaces the signing key and every RPC URL that holds more than a host: a provider's key is in its path, its query or
 * its user-info (design 6). An empty signing key is a command, not a secret.
 */
export function withStandIns(body: JsonObject): StandIns {
  const variables: string[] = [];
  const standIn = (name: string) => {
    variables.push(name);
    return shellVariable(name);
  };
  const shown: JsonObject = { ...body };
  if (typeof body.signing_key === "string" && body.signing_key !== "") shown.signing_key = standIn("SIGNING_KEY");
  if (Array.isArray(body.custom_rpc_urls)) {
    shown.custom_rpc_urls = body.custom_rpc_urls.map((entry, index) => withoutUrl(entry, () => standIn(`RPC_URL_${index + 1}`)));
  }
  return { body: shown, variables };
}

function withoutUrl(entry: JsonValue, standIn: () => string): JsonValue {
  if (!isJsonObject(entry) || typeof entry.url !== "string" || maskRpcUrl(entry.url) === entry.url) return entry;
  return { ...entry, url: standIn() };
}
