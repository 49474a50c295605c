import { wireAmount } from "../../contract/amount.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { DEFAULT_WEIGHT, isMasked, maskRpcUrl } from "../../contract/rpc-url.ts";
import { hiddenIn, originOf } from "../hidden.ts";
import type { IsLastApplied } from "../known-secrets.ts";
import { canonicalSet, presentText } from "./canonical-json.ts";

interface Entry {
  url: string;
  weight: string;
}

/** How the RPC URLs of a file compare with those of the service. */
export type UrlComparison = "same" | "different" | "unknown";

/** Returns the entries of a list of RPC URLs; undefined if it is not such a list. None is the same as an empty list. */
export function urlEntries(list: JsonValue | undefined): readonly Entry[] | undefined {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) return undefined;
  const entries = list.map(entryOf);
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

/** Returns the list as it may be shown: each URL without its path, its query, and its user-info. */
export function shownUrls(list: JsonValue | undefined): JsonValue {
  if (!Array.isArray(list)) return list === undefined || list === null ? null : "***";
  return list.map((item): JsonObject => {
    const entry = entryOf(item) ?? { url: "", weight: String(DEFAULT_WEIGHT) };
    const weight = Number(entry.weight);
    return { url: shownUrl(entry.url), ...(weight !== DEFAULT_WEIGHT && { weight }) };
  });
}

/** Returns an RPC URL as it may be shown. */
export function shownUrl(url: string): string {
  return hiddenIn(url) === undefined ? maskRpcUrl(url) : url;
}

/** Returns the text of all lists of RPC URLs that mean the same; undefined for none. It may contain secrets. */
export function canonicalUrls(list: JsonValue | undefined): string | undefined {
  const entries = urlEntries(list);
  if (!entries) return presentText(list);
  const texts = entries.map(({ url, weight }) => `{"url":${JSON.stringify(url)},"weight":${weight}}`);
  return texts.length === 0 ? undefined : canonicalSet(texts);
}

/**
 * Returns the text of an RPC URL with its weight, as a command takes it: `https://host/key`, `https://host/key,weight=50`.
 * What was applied is known by a fingerprint of this text.
 */
export function rpcUrlText({ url, weight }: Entry): string {
  return weight === String(DEFAULT_WEIGHT) ? url : `${url},weight=${weight}`;
}

/** Returns whether a file leaves out any RPC URL of a list. */
export function hidesUrl(entries: readonly Entry[]): boolean {
  return entries.some(({ url }) => hiddenIn(url) !== undefined);
}

/**
 * Compares two lists of RPC URLs, whose order has no meaning. A service masks the URLs of relayers since v1.4 (facts 4.4):
 * whether the rest is equal is known only for what was last applied from here.
 * @param lastApplied called once, if the rest of any URL has to be compared
 */
export async function compareUrls(
  desired: readonly Entry[],
  live: readonly Entry[],
  lastApplied: () => Promise<IsLastApplied | undefined>,
): Promise<UrlComparison> {
  const pairs = pairsOf(distinct(desired), distinct(live)) ?? pairsOf(desired, live);
  if (!pairs) return "different";
  const hidden = pairs.filter(([one, other]) => one.url !== other.url);
  const toTest = hidden.filter(([{ url }]) => hiddenIn(url) === undefined);
  const isLastApplied = toTest.length > 0 ? await lastApplied() : undefined;
  if (isLastApplied) for (const [entry] of toTest) if (!(await isLastApplied(rpcUrlText(entry)))) return "different";
  if (hidden.length === 0) return "same";
  // Two equal URLs of a file may stand for two masked ones that differ.
  const areAllTested = toTest.length === hidden.length && distinct(desired).length === desired.length;
  return isLastApplied && areAllTested ? "same" : "unknown";
}

function entryOf(item: JsonValue): Entry | undefined {
  if (typeof item === "string") return { url: item, weight: String(DEFAULT_WEIGHT) };
  if (!isJsonObject(item) || typeof item.url !== "string") return undefined;
  const weight = item.weight ?? null;
  return { url: item.url, weight: weight === null ? String(DEFAULT_WEIGHT) : (wireAmount(weight)?.toString() ?? "") };
}

/** Leaves out duplicates. Two masked URLs are none, since each can stand for another. */
function distinct(entries: readonly Entry[]): Entry[] {
  const seen = new Set<string>();
  return entries.filter((entry) => {
    const text = rpcUrlText(entry);
    if (!isMasked(entry.url) && hiddenIn(entry.url) === undefined && seen.has(text)) return false;
    seen.add(text);
    return true;
  });
}

/** Returns for each entry of a file the one of the service that may be the same; undefined if any has none. */
function pairsOf(desired: readonly Entry[], live: readonly Entry[]): (readonly [Entry, Entry])[] | undefined {
  if (desired.length !== live.length) return undefined;
  const left = [...live];
  const hiddenLast = [...desired].sort((one, other) => Number(isHidden(one)) - Number(isHidden(other)));
  const pairs = hiddenLast.flatMap((entry) => {
    const at = left.findIndex((candidate) => mayBeSame(entry, candidate));
    return at < 0 ? [] : left.splice(at, 1).map((found) => [entry, found] as const);
  });
  return left.length === 0 ? pairs : undefined;
}

function isHidden({ url }: Entry): boolean {
  return hiddenIn(url) !== undefined;
}

function mayBeSame(desired: Entry, live: Entry): boolean {
  if (desired.weight !== live.weight) return false;
  const hidden = hiddenIn(desired.url);
  if (hidden !== undefined) return hidden.replace(/#\d*$/, "") === originOf(live.url);
  return isMasked(live.url) ? maskRpcUrl(desired.url) === maskRpcUrl(live.url) : desired.url === live.url;
}
