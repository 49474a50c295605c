import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { isMasked, maskRpcUrl } from "../../contract/rpc-url.ts";
import { hiddenIn, hiddenText, hiddenUrl, originOf, unsetIn } from "../hidden.ts";
import type { FileItem } from "./file-item.ts";
import { refer } from "./refer.ts";

const HIDDEN_URL = /^[^/?#]+(?::\/\/[^/?#]+)?#[1-9][0-9]*$/i;

/** Returns a list of RPC URLs as `{url, weight}`. A bare URL has the default weight (facts 14). */
export function rpcUrls(item: FileItem, name: string, value: JsonValue): JsonValue {
  if (!Array.isArray(value)) {
    item.problem(name, "must be a list of URLs", value);
    return value;
  }
  const masked = new Map<string, number>();
  return value.map((entry, index): JsonValue => {
    const path = `${name}.${index}`;
    if (typeof entry !== "string" && !isJsonObject(entry)) {
      item.problem(path, "must be a URL, or an object with url and weight; the service would ignore it silently");
      return entry;
    }
    const isBare = typeof entry === "string";
    const url = isBare ? entry : entry.url;
    if (typeof url === "string")
      validateText(item, { url, path: `${path}.url`, from: isBare ? path : `${path}.url` }, masked);
    return isBare ? { url: entry } : withoutNullWeight(entry);
  });
}

function withoutNullWeight({ weight, ...entry }: JsonObject): JsonObject {
  return weight === null || weight === undefined ? entry : { ...entry, weight };
}

/** @param masked how many masked URLs each origin had so far */
function validateText(
  item: FileItem,
  { url, path, from }: { url: string; path: string; from: string },
  masked: Map<string, number>,
): void {
  const hidden = hiddenIn(url);
  if (hidden !== undefined) {
    item.hide(path, from);
    if (!HIDDEN_URL.test(hidden) && !unsetIn(url))
      item.problem(from, `a hidden URL is written with its origin and number: ${hiddenText("https://host#1")}`);
  } else if (isMasked(url)) {
    const number = (masked.get(originOf(url)) ?? 0) + 1;
    masked.set(originOf(url), number);
    item.problem(
      from,
      `is masked by the service; write the URL itself, or ${hiddenUrl(url, number)} to leave it as it is`,
    );
    item.hide(path);
  } else if (maskRpcUrl(url) !== url || item.isFromElsewhere(from)) refer(item, path, from, url);
}
