import { isJsonObject, type JsonArray, type JsonObject, type JsonValue, keysOf } from "../../../contract/json.ts";
import { policyFieldsOf } from "../../../contract/policy.ts";
import {
  DEFAULT_WEIGHT,
  isMasked,
  maskRpcUrl,
  RPC_URL_FIELDS,
  type WeightedUrl,
  weightedUrl,
} from "../../../contract/rpc-url.ts";
import type { DesiredResource } from "../../desired.ts";
import { hiddenIn, originOf } from "../../hidden.ts";
import { isFromElsewhere } from "./kept-references.ts";
import { type Keep, mergedPolicies } from "./merge-policies.ts";

/** A list of RPC URLs: as it is written, as it was read, as the service has it, and as an export writes that. */
interface UrlLists {
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
function mergedUrls(lists: UrlLists, keep: () => void): JsonArray {
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

/** A resource that a file describes and the service has. */
export interface DescribedItem {
  written: JsonObject;
  desired: DesiredResource;
  live: JsonObject;
  exported: JsonObject;
}

/** Members that determine which others there are. */
const KINDS = ["type", "network_type"];

/**
 * Returns an item of a file in which the members that differ are those of the service.
 * @param paths the dotted paths of the members that differ
 * @param keep called with the path of a value from elsewhere, which stays although it differs
 */
export function updatedItem(item: DescribedItem, paths: readonly string[], keep: Keep): JsonObject {
  const { desired, exported } = item;
  if (desired.noun !== "notifications" && paths.some((path) => KINDS.includes(path))) return exported;
  let updated = item.written;
  const policies = new Set(paths.map((path) => (path.startsWith("policies.") ? "policies" : path)));
  for (const path of policies) {
    const [head = "", ...rest] = path.split(".");
    if (head === "policies") updated = withMember(updated, head, updatedPolicies(item, keep));
    else if (RPC_URL_FIELDS.some((name) => name === head))
      updated = withMember(updated, head, updatedUrls(item, head, keep));
    else updated = adopted(updated, exported, [head, ...rest], () => keep(path));
  }
  return updated;
}

function updatedPolicies({ written, desired, live, exported }: DescribedItem, keep: Keep): JsonValue | undefined {
  const fields = policyFieldsOf(live.network_type, undefined);
  if (!isJsonObject(written.policies)) return exported.policies;
  const { policies } = desired.fields;
  const versions = { written: written.policies, read: policies, live: live.policies, exported: exported.policies };
  const merged = mergedPolicies(fields, versions, keep, "policies");
  return Object.keys(merged).length === 0 ? undefined : merged;
}

function updatedUrls(
  { written, desired, live, exported }: DescribedItem,
  name: string,
  keep: Keep,
): JsonValue | undefined {
  if (!Array.isArray(written[name]) || !Array.isArray(exported[name])) return exported[name];
  const lists = { written: arrayIn(written, name), read: arrayIn(desired.fields, name), live: arrayIn(live, name) };
  return mergedUrls({ ...lists, exported: arrayIn(exported, name) }, () => keep(name));
}

/** Returns an object with the member of another at a path, or without it if the other has none. */
function adopted(
  written: JsonObject,
  from: JsonValue | undefined,
  path: readonly string[],
  keep: () => void,
): JsonObject {
  const [head = "", ...rest] = path;
  const [value, next] = [written[head], isJsonObject(from) ? from[head] : undefined];
  if (isFromElsewhere(value)) {
    keep();
    return written;
  }
  const isInside = rest.length > 0 && isJsonObject(value);
  return withMember(written, head, isInside ? adopted(value, next, rest, keep) : next);
}

/** @param value undefined to leave the member out */
function withMember(object: JsonObject, name: string, value: JsonValue | undefined): JsonObject {
  const names = keysOf(object).includes(name) ? keysOf(object) : [...keysOf(object), name];
  const members = names.flatMap((each) => {
    const member = each === name ? value : object[each];
    return member === undefined ? [] : [[each, member] as const];
  });
  return Object.fromEntries(members);
}

function arrayIn(object: JsonObject, name: string): JsonArray {
  const value = object[name];
  return Array.isArray(value) ? value : [];
}
