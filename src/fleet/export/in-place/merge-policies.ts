import { isJsonObject, type JsonArray, type JsonObject, type JsonValue, keysOf } from "../../../contract/json.ts";
import type { ListField, PolicyField, PolicyFields } from "../../../contract/policy.ts";
import { canonicalPolicy, entryKey } from "../../compare/canonical-policy.ts";
import { isFromElsewhere } from "./kept-references.ts";

/** A value: as it is written in a file, as it was read, as the service has it, and as an export writes that. */
export interface Versions {
  written: JsonValue | undefined;
  read: JsonValue | undefined;
  live: JsonValue | undefined;
  exported: JsonValue | undefined;
}

/** Called with the dotted path of a value from elsewhere that differs from the service; it stays. */
export type Keep = (path: string) => void;

/**
 * Returns the members of a policy, or of an entry of one; only those that differ from the service change.
 * @param at the dotted path
 * @param filledIn the members that the service sets if they are not set; they are not added
 */
export function mergedPolicies(
  fields: PolicyFields,
  versions: Versions,
  keep: Keep,
  at: string,
  filledIn: readonly string[] = [],
): JsonObject {
  const [written, exported] = [objectOf(versions.written), objectOf(versions.exported)];
  const merged: JsonObject = {};
  for (const name of new Set([...keysOf(written), ...keysOf(exported)])) {
    if (filledIn.includes(name) && !Object.hasOwn(written, name)) continue;
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const value = mergedPolicy(field, memberOf(versions, name), keep, `${at}.${name}`);
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
    return mergedList(field, { written, read: arrayOf(read), live: arrayOf(live), exported }, keep, at);
  return exported;
}

type Lists = Record<keyof Versions, JsonArray>;

/** Returns the entries of a file that the service has, in their order, and then those that only the service has. */
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

function memberOf({ written, read, live, exported }: Versions, name: string): Versions {
  const of = (value: JsonValue | undefined) =>
    Object.hasOwn(objectOf(value), name) ? objectOf(value)[name] : undefined;
  return { written: of(written), read: of(read), live: of(live), exported: of(exported) };
}

function isEqual(one: JsonObject, other: JsonObject): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function arrayOf(value: JsonValue | undefined): JsonArray {
  return Array.isArray(value) ? value : [];
}
