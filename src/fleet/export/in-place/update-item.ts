import {
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  keysOf,
  listIn,
  objectIn,
} from "../../../contract/json.ts";
import { type ListField, type PolicyField, type PolicyFields, policyFieldsOf } from "../../../contract/policy.ts";
import {
  DEFAULT_WEIGHT,
  isMaskedRpcUrl,
  maskRpcUrl,
  RPC_URL_FIELDS,
  type WeightedUrl,
  weightedRpcUrl,
} from "../../../contract/rpc-url.ts";
import { canonicalPolicy, entryKey } from "../../compare/canonical-policy.ts";
import { interpolationParts, isInterpolated } from "../../config/load-document.ts";
import type { DesiredResource } from "../../desired-fleet.ts";
import { hiddenIn, hiddenOrigin, hiddenUrlOrigin } from "../../hidden.ts";

/** A list of RPC URLs: as written in a file, as read, of the service, and as exported. */
interface UrlLists {
  written: JsonArray;
  read: JsonArray;
  live: JsonArray;
  exported: JsonArray;
}

/** How an entry of a file is found again in the service: as it is, with another weight, or only by its origin. */
const MATCHES: readonly ((file: WeightedUrl, live: WeightedUrl) => boolean)[] = [
  (file, live) => mayBeSame(file, live) && file.weight === live.weight,
  mayBeSame,
  (file, live) => urlOrigin(file.url) === hiddenUrlOrigin(live.url),
];
const [AS_IT_IS, BY_ORIGIN] = [0, 2];

interface Found {
  weight: string;
  text: JsonValue;
  how: number;
}

/** Returns a list with the service's entries. @param keep called if an entry from elsewhere stays */
function mergedUrls(lists: UrlLists, keep: () => void): JsonArray {
  const { found, left } = matchUrls(lists);
  // The lists differ, so the URLs can't be the file's.
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

function matchUrls({ read, live, exported }: UrlLists): {
  found: Map<number, Found>;
  left: readonly { text: JsonValue }[];
} {
  const left = live.flatMap((entry, index) => {
    const url = weightedRpcUrl(entry);
    return url ? [{ ...url, text: exported[index] ?? null }] : [];
  });
  const found = new Map<number, Found>();
  const take = (entry: JsonValue, index: number, how: number) => {
    const url = found.has(index) ? undefined : weightedRpcUrl(entry);
    const at = url ? left.findIndex((candidate) => MATCHES[how]?.(url, candidate)) : -1;
    const [match] = at < 0 ? [] : left.splice(at, 1);
    if (match) found.set(index, { weight: match.weight, text: match.text, how });
  };
  for (const how of MATCHES.keys()) for (const [index, entry] of read.entries()) take(entry, index, how);
  return { found, left };
}

function mayBeSame(file: WeightedUrl, live: WeightedUrl): boolean {
  if (hiddenIn(file.url) !== undefined) return urlOrigin(file.url) === hiddenUrlOrigin(live.url);
  return isMaskedRpcUrl(live.url) ? maskRpcUrl(file.url) === maskRpcUrl(live.url) : file.url === live.url;
}

/** Returns the origin of a URL, even of `${hidden:https://host#1}`. */
function urlOrigin(url: string): string {
  const hidden = hiddenIn(url);
  return (hidden === undefined ? undefined : hiddenOrigin(hidden)) ?? hiddenUrlOrigin(url);
}

function withWeight(entry: JsonValue, weight: string): JsonValue {
  const { url, weight: _, ...others } = isJsonObject(entry) ? entry : { url: entry };
  const isPlain = Object.keys(others).length === 0 && Number(weight) === DEFAULT_WEIGHT;
  return isPlain ? (url ?? null) : { url: url ?? null, ...others, weight: Number(weight) };
}

export interface DescribedItem {
  written: JsonObject;
  desired: DesiredResource;
  live: JsonObject;
  exported: JsonObject;
}

/** Members that determine which others there are. */
const KINDS = ["type", "network_type"];

/** @param paths the members that differ @param keep called for a value from elsewhere, which stays */
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
    else updated = adoptMembers(updated, exported, [head, ...rest], () => keep(path));
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
  const lists = { written: written[name], exported: exported[name] };
  return mergedUrls({ ...lists, read: listIn(desired.fields[name]), live: listIn(live[name]) }, () => keep(name));
}

function adoptMembers(
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
  return withMember(written, head, isInside ? adoptMembers(value, next, rest, keep) : next);
}

function withMember(object: JsonObject, name: string, value: JsonValue | undefined): JsonObject {
  const names = keysOf(object).includes(name) ? keysOf(object) : [...keysOf(object), name];
  const members = names.flatMap((each) => {
    const member = each === name ? value : object[each];
    return member === undefined ? [] : [[each, member] as const];
  });
  return Object.fromEntries(members);
}

/** A value: as written in a file, as read, of the service, and as exported. */
interface Versions {
  written: JsonValue | undefined;
  read: JsonValue | undefined;
  live: JsonValue | undefined;
  exported: JsonValue | undefined;
}

/** Called with the dotted path of a differing value from elsewhere, which stays. */
type Keep = (path: string) => void;

function mergedPolicies(
  fields: PolicyFields,
  versions: Versions,
  keep: Keep,
  at: string,
  filledIn: readonly string[] = [],
): JsonObject {
  const [written, exported] = [objectIn(versions.written), objectIn(versions.exported)];
  const merged: JsonObject = {};
  for (const name of new Set([...keysOf(written), ...keysOf(exported)])) {
    if (filledIn.includes(name) && !Object.hasOwn(written, name)) continue;
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const value = mergedPolicy(field, memberVersions(versions, name), keep, `${at}.${name}`);
    if (value !== undefined) merged[name] = value;
  }
  return isEqual(merged, written) ? written : merged;
}

function mergedPolicy(
  field: PolicyField | undefined,
  versions: Versions,
  keep: Keep,
  at: string,
): JsonValue | undefined {
  const { written, read, live, exported } = versions;
  if (field && canonicalPolicy(field, read) === canonicalPolicy(field, live)) return written;
  if (isFromElsewhere(written)) {
    keep(at);
    return written;
  }
  if (field?.type === "object" && isJsonObject(written) && isJsonObject(exported))
    return mergedPolicies(field.fields, versions, keep, at);
  // The order of words matters.
  if (field?.type === "list" && !field.words && Array.isArray(written) && Array.isArray(exported))
    return mergedList(field, { written, read: listIn(read), live: listIn(live), exported }, keep, at);
  return exported;
}

type Lists = Record<keyof Versions, JsonArray>;

/** Returns the file's entries that the service has, in their order, and then the service's other entries. */
function mergedList(field: ListField, { written, read, live, exported }: Lists, keep: Keep, at: string): JsonArray {
  const keyIn = (item: JsonValue = null) =>
    field.entry ? entryKey(field.entry, item) : canonicalPolicy(field, [item]);
  const left = exported.map((value, index) => ({ value, now: live[index], key: keyIn(live[index]) }));
  const stay = written.flatMap((value, index): JsonValue[] => {
    const key = keyIn(read[index]);
    const found = left.findIndex((candidate) => key !== undefined && candidate.key === key);
    const [match] = found < 0 ? [] : left.splice(found, 1);
    if (match) {
      const versions = { written: value, read: read[index], live: match.now, exported: match.value };
      return [
        field.entry
          ? mergedPolicies(field.entry.fields, versions, keep, `${at}.${index}`, field.entry.filledIn)
          : value,
      ];
    }
    if (!isFromElsewhere(value)) return [];
    keep(`${at}.${index}`);
    return [value];
  });
  return [...stay, ...left.map(({ value }) => value)];
}

function memberVersions({ written, read, live, exported }: Versions, name: string): Versions {
  const of = (value: JsonValue | undefined) =>
    Object.hasOwn(objectIn(value), name) ? objectIn(value)[name] : undefined;
  return { written: of(written), read: of(read), live: of(live), exported: of(exported) };
}

function isEqual(one: JsonObject, other: JsonObject): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/** Returns whether a file's value comes from elsewhere: `${env:NAME}`, `${file:PATH}`, or `{"type": "env", …}`. */
function isFromElsewhere(written: JsonValue | undefined): boolean {
  if (isJsonObject(written)) return written.type === "env" && typeof written.value === "string";
  if (typeof written !== "string" || !isInterpolated(written) || hiddenIn(written) !== undefined) return false;
  return interpolationParts(written).some((part) => "from" in part);
}
