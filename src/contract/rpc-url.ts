import type { JsonObject, JsonValue } from "./json.ts";
import { isJsonObject } from "./json.ts";

/** What the service puts where the path or query of an RPC URL was (service-facts 4.4). */
export const MASK = "***";

/** What is wrong with a masked URL in a request. */
export const MASKED_URL = "is masked by the service; writing it back would cut the relayer off";

export function isMasked(url: string): boolean {
  return url.includes(MASK);
}

/**
 * An RPC URL as it may be shown: origin kept, user-info dropped, path and query replaced. Services before v1.4 send the
 * whole URL, with the provider's key in it, and no version drops the user-info.
 */
export function maskRpcUrl(url: string): string {
  const found = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)(.*)$/is.exec(url);
  if (!found) return MASK;
  const [, scheme = "", authority = "", rest = ""] = found;
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  if (rest === "" || rest === "/") return scheme + host + rest;
  return `${scheme}${host}${rest.startsWith("/") ? "/" : rest[0]}${MASK}`;
}

/** A copy of a resource in which every RPC URL is masked, in `custom_rpc_urls` and `rpc_urls`. */
export function withMaskedRpcUrls<T extends JsonObject>(resource: T): T {
  const masked: JsonObject = { ...resource };
  for (const key of ["custom_rpc_urls", "rpc_urls"]) {
    const urls = masked[key];
    if (Array.isArray(urls)) masked[key] = urls.map(maskEntry);
  }
  return masked as T;
}

function maskEntry(entry: JsonValue): JsonValue {
  if (typeof entry === "string") return maskRpcUrl(entry);
  if (!isJsonObject(entry) || typeof entry.url !== "string") return entry;
  return { ...entry, url: maskRpcUrl(entry.url) };
}
