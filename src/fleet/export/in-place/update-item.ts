import { isJsonObject, type JsonArray, type JsonObject, type JsonValue, keysOf } from "../../../contract/json.ts";
import { policyFieldsOf } from "../../../contract/policy.ts";
import { RPC_URL_FIELDS } from "../../../contract/rpc-url.ts";
import type { DesiredResource } from "../../desired.ts";
import { isFromElsewhere } from "./kept-references.ts";
import { type Keep, mergedPolicies } from "./merge-policies.ts";
import { mergedUrls } from "./merge-urls.ts";

/** A resource that a file describes and the service has. */
export interface DescribedItem {
  /** As it is written. */
  written: JsonObject;
  desired: DesiredResource;
  live: JsonObject;
  /** As an export writes it. */
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
