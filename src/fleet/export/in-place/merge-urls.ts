import { isJsonObject, type JsonArray, type JsonValue } from "../../../contract/json.ts";
import { DEFAULT_WEIGHT, isMasked, maskRpcUrl, type WeightedUrl, weightedUrl } from "../../../contract/rpc-url.ts";
import { hiddenIn, originOf } from "../../hidden.ts";
import { isFromElsewhere } from "./kept-references.ts";

/** A list of RPC URLs: as it is written, as it was read, as the service has it, and as an export writes that. */
export interface UrlLists {
  written: JsonArray;
  read: JsonArray;
  live: JsonArray;
  exported: JsonArray;
}

/** How an entry of a file is found again in the service: as it is, with another weight, or by its origin alone. */
const MATCHES: readonly ((file: WeightedUrl, live: WeightedUrl) => boolean)[] = [
  (file, live) => mayBeSame(file, live) && file.weight === live.weight,
  mayBeSame,
  (file, live) => urlOrigin(file.url) === originOf(live.url),
];
const [AS_IT_IS, BY_ORIGIN] = [0, 2];

/** An entry of the service. */
interface Found {
  weight: string;
  /** As an export writes it. */
  text: JsonValue;
  /** The position in `MATCHES`. */
  how: number;
}

/**
 * Returns a list that differs from the service with the entries of the service: those of the file keep their text and
 * their order.
 * @param keep called if an entry from elsewhere differs; it stays
 */
export function mergedUrls(lists: UrlLists, keep: () => void): JsonArray {
  const { found, left } = matched(lists);
  // The lists differ, so that URLs are known not to be those of the file.
  const isHiddenChange = left.length === 0 && lists.written.every((_, index) => found.get(index)?.how === AS_IT_IS);
  const stay = lists.written.flatMap((entry, index): JsonValue[] => {
    const match = found.get(index);
    if (match && !isHiddenChange && match.how !== BY_ORIGIN)
      return [match.how === AS_IT_IS ? entry : withWeight(entry, match.weight)];
    return isKept(entry, keep) ? [entry] : match ? [match.text] : [];
  });
  return [...stay, ...left.map(({ text }) => text)];
}

function isKept(entry: JsonValue, keep: () => void): boolean {
  const isElsewhere = isFromElsewhere(isJsonObject(entry) ? entry.url : entry);
  if (isElsewhere) keep();
  return isElsewhere;
}

/** Finds the entries of the file again in the service; those that are left are not in the file. */
function matched({ read, live, exported }: UrlLists): {
  found: Map<number, Found>;
  left: readonly { text: JsonValue }[];
} {
  const left = live.flatMap((entry, index) => {
    const url = weightedUrl(entry);
    return url ? [{ ...url, text: exported[index] ?? null }] : [];
  });
  const found = new Map<number, Found>();
  const take = (entry: JsonValue, index: number, how: number) => {
    const url = found.has(index) ? undefined : weightedUrl(entry);
    const at = url ? left.findIndex((candidate) => MATCHES[how]?.(url, candidate)) : -1;
    const [match] = at < 0 ? [] : left.splice(at, 1);
    if (match) found.set(index, { weight: match.weight, text: match.text, how });
  };
  for (const how of MATCHES.keys()) for (const [index, entry] of read.entries()) take(entry, index, how);
  return { found, left };
}

function mayBeSame(file: WeightedUrl, live: WeightedUrl): boolean {
  if (hiddenIn(file.url) !== undefined) return urlOrigin(file.url) === originOf(live.url);
  return isMasked(live.url) ? maskRpcUrl(file.url) === maskRpcUrl(live.url) : file.url === live.url;
}

/** Returns the origin of a URL, also of `${hidden:https://host#1}`. */
function urlOrigin(url: string): string {
  return hiddenIn(url)?.replace(/#\d*$/, "") ?? originOf(url);
}

function withWeight(entry: JsonValue, weight: string): JsonValue {
  const { url, weight: _, ...others } = isJsonObject(entry) ? entry : { url: entry };
  const isPlain = Object.keys(others).length === 0 && Number(weight) === DEFAULT_WEIGHT;
  return isPlain ? (url ?? null) : { url: url ?? null, ...others, weight: Number(weight) };
}
