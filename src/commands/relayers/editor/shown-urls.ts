import { isJsonObject, type JsonValue } from "../../../contract/json.ts";
import { isMasked, MASK, maskRpcUrl } from "../../../contract/rpc-url.ts";

/**
 * RPC URLs for a text that comes back: masked, also where only user-info is left out, so that no URL without its secret
 * can be taken for a whole one.
 */
export function shownUrls(urls: JsonValue | undefined): JsonValue {
  if (!Array.isArray(urls)) return urls ?? null;
  return urls.map((entry) =>
    isJsonObject(entry) && typeof entry.url === "string" ? { ...entry, url: shownUrl(entry.url) } : entry,
  );
}

function shownUrl(url: string): string {
  const masked = maskRpcUrl(url);
  return masked === url || isMasked(masked) ? masked : masked.replace("://", `://${MASK}@`);
}
