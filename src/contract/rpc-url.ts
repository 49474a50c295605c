import { elseOnError } from "../errors.ts";
import { knownSymbol, wireAmount } from "./amount.ts";
import { percentDecoded } from "./encoding/percent.ts";
import {
  asReceived,
  copyJsonObject,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  parseJson,
  setJsonAside,
  writeJson,
} from "./json.ts";

/** The service's replacement for the path or query of an RPC URL (facts 4.4). */
export const MASK = "***";

/** The default weight of an RPC URL (facts 4.4). */
export const DEFAULT_WEIGHT = 100;

/** The fields with RPC URLs: a relayer's, and a network's. */
export const RPC_URL_FIELDS = ["custom_rpc_urls", "rpc_urls"] as const;

export const MASKED_URL = "is masked by the service; writing it back would cut the relayer off";

export function isMaskedRpcUrl(url: string): boolean {
  return url.includes(MASK);
}

/** Services before v1.4 send the provider's key, and all versions send user-info. */
export function maskRpcUrl(url: string): string {
  const found = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)(.*)$/is.exec(url);
  if (!found) return MASK;
  const [, scheme = "", authority = "", rest = ""] = found;
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  if (rest === "" || rest === "/") return scheme + host + rest;
  return `${scheme}${host}${rest.startsWith("/") ? "/" : rest[0]}${MASK}`;
}

export function rpcUrlHasUserInfo(url: string): boolean {
  return /^[^/?#]*:\/\/[^/?#]*@/.test(url);
}

/** Shorter parts of a URL are not searched for, since other words contain them. */
const SHORTEST_KEY = 8;

/** Returns them as they stand in it and decoded, longest first: user-info and keys, but no well-known network. */
export function secretRpcUrlParts(url: string, shortest = SHORTEST_KEY): string[] {
  if (!URL.canParse(url)) return [];
  const { pathname, search, hash, username, password } = new URL(url);
  const long = [...pathname.split("/"), ...search.split(/[?&=]/), hash.slice(1)].filter(
    (part) => part.length >= shortest && knownSymbol(part) === undefined,
  );
  const parts = [...long, username, password].flatMap((part) => [part, percentDecoded(part) ?? part]);
  return [...new Set(parts)].filter((part) => part !== "").sort((one, other) => other.length - one.length);
}

export type WeightedUrl = NonNullable<ReturnType<typeof weightedRpcUrl>>;

/** Returns an entry of a list of RPC URLs, with the default weight for a bare URL. */
export function weightedRpcUrl(entry: JsonValue) {
  if (typeof entry === "string") return { url: entry, weight: String(DEFAULT_WEIGHT) };
  if (!isJsonObject(entry) || typeof entry.url !== "string") return undefined;
  const weight = entry.weight ?? DEFAULT_WEIGHT;
  return { url: entry.url, weight: wireAmount(weight)?.toString() ?? "" };
}

export function rpcUrlsIn(body: JsonObject): string[] {
  const entries = RPC_URL_FIELDS.flatMap((field) => body[field] ?? []);
  return entries.flatMap((entry) => weightedRpcUrl(entry)?.url ?? []);
}

/** The start of a non-empty list of RPC URLs, and the list. */
const [LIST_START, LIST] = [/^rpc_urls"\s*:\s*\[\s*[^\]\s]/, /^rpc_urls"\s*:\s*(\[(?:[^\]"]|"(?:[^"\\]|\\.)*")*\])/s];

/** Most lists are as short as the first; longer ones than the last are not read. */
const LIST_BYTES = [2 ** 8, 2 ** 11, 2 ** 14];

/** Most relayers have one of few lists. */
const MOST_SEEN = 256;

/**
 * Yields the RPC URLs in a JSON response, without reading much else.
 * @param seen lists that were read before, which are skipped; new ones are added
 */
export function* receivedRpcUrls(body: Uint8Array, seen: Set<string>): Generator<string> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  for (let at = bytes.indexOf('rpc_urls"'); at >= 0; at = bytes.indexOf('rpc_urls"', at + 1)) {
    if (!LIST_START.test(bytes.toString("latin1", at, at + 64))) continue;
    const list = readList(bytes, at);
    if (list === undefined || seen.has(list)) continue;
    for (const entry of elseOnError(() => parseJson(list) as JsonArray, [])) yield weightedRpcUrl(entry)?.url ?? "";
    if (seen.size < MOST_SEEN) seen.add(list);
  }
}

function readList(bytes: Buffer, at: number): string | undefined {
  for (const length of LIST_BYTES) {
    const list = LIST.exec(bytes.toString("utf8", at, at + length))?.[1];
    if (list !== undefined) return list;
  }
  return undefined;
}

/** Returns an RPC URL with its weight for `--rpc-url`: `https://host/key`, `https://host/key,weight=50`. */
export function weightedRpcUrlText({ url, weight }: WeightedUrl): string {
  return weight === String(DEFAULT_WEIGHT) ? url : `${url},weight=${weight}`;
}

export function withMaskedRpcUrls<T extends JsonObject>(resource: T): T {
  if (!RPC_URL_FIELDS.some((field) => resource[field] !== undefined)) return resource;
  const masked: JsonObject = copyJsonObject(resource);
  for (const field of RPC_URL_FIELDS) {
    const urls = asReceived(masked, field);
    if (urls === undefined) continue;
    if (masked[field] === null) setJsonAside(masked, field, maskEntry(urls));
    else masked[field] = maskEntry(urls);
  }
  return masked as T;
}

/** @param name of the member, whose URL a later service may add to the entries */
function maskEntry(entry: JsonValue, name = "url"): JsonValue {
  if (typeof entry === "string") return name === "url" || entry.includes("://") ? maskRpcUrl(entry) : entry;
  if (Array.isArray(entry)) return entry.map((item) => maskEntry(item));
  if (!isJsonObject(entry)) return entry;
  const copy = copyJsonObject(entry);
  for (const key of Object.keys(copy)) copy[key] = maskEntry(copy[key] ?? null, key);
  return copy;
}

/** Returns whether masking would leave the value of such a field unchanged. */
export function isRpcUrlWithoutSecrets(entry: JsonValue): boolean {
  return writeJson(maskEntry(entry)) === writeJson(entry);
}

/** Returns the paths of masked URLs, e.g. `custom_rpc_urls.0.url`: a mask must never be written back. */
export function maskedRpcUrlPaths(body: JsonValue | undefined): string[] {
  if (!isJsonObject(body)) return [];
  return RPC_URL_FIELDS.flatMap((field) => {
    const entries = body[field];
    if (!Array.isArray(entries)) return [];
    return entries.flatMap((entry, index) => (isMaskedEntry(entry) ? [`${field}.${index}.url`] : []));
  });
}

function isMaskedEntry(entry: JsonValue): boolean {
  const url = isJsonObject(entry) ? entry.url : entry;
  return typeof url === "string" && isMaskedRpcUrl(url);
}
