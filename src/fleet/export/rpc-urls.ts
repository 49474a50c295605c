import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { DEFAULT_WEIGHT, isMasked, maskRpcUrl } from "../../contract/rpc-url.ts";
import { hiddenUrl, originOf } from "../hidden.ts";
import { fileText } from "./file-text.ts";

/**
 * Returns a list of RPC URLs as a file contains it: a text, or `{url, weight}` if the weight is not the default. A URL
 * that is more than an origin is `${hidden:https://host#1}`, numbered among those of its origin.
 * @param isShown whether complete URLs are written; a masked one is never complete
 */
export function exportedUrls(urls: JsonValue | undefined, isShown: boolean): JsonArray | undefined {
  if (!Array.isArray(urls)) return undefined;
  const counts = new Map<string, number>();
  return urls.flatMap((entry) => {
    const { url, weight } = isJsonObject(entry) ? entry : ({ url: entry } as JsonObject);
    if (typeof url !== "string") return [];
    const origin = originOf(url);
    const number = (counts.get(origin) ?? 0) + 1;
    counts.set(origin, number);
    const isWritten = maskRpcUrl(url) === url ? !isMasked(url) : isShown;
    const text = isWritten ? fileText(url) : hiddenUrl(url, number);
    return [weight === undefined || weight === null || isDefault(weight) ? text : { url: text, weight }];
  });
}

function isDefault(weight: JsonValue): boolean {
  return String(weight) === String(DEFAULT_WEIGHT);
}
