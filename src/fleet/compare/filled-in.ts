import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import type { ListEntry, PolicyField } from "../../contract/policy.ts";
import { entryKey } from "./canonical-policy.ts";

/**
 * Returns a list of the service without what the service filled in by itself, where the file does not have it: the
 * decimals and the symbol of a token, and the metadata of an asset, which it reads from the chain. What this version does
 * not know is left out too.
 */
export function asDescribed(field: PolicyField | undefined, live: JsonValue, desired: JsonValue): JsonValue {
  return withEntries(field, live, desired, (entry, isFilledIn, described) => {
    const left = Object.entries(entry).filter(([name]) => !isFilledIn(name) || (described?.[name] ?? null) !== null);
    return Object.fromEntries(left);
  });
}

/** Returns a list of a file with what the service filled in, so that sending the whole list does not remove it. */
export function withFilledIn(field: PolicyField | undefined, desired: JsonValue, live: JsonValue): JsonValue {
  return withEntries(field, desired, live, (entry, isFilledIn, found) => {
    const added = Object.entries(found ?? {}).filter(
      ([name, value]) => isFilledIn(name) && value !== null && (entry[name] ?? null) === null,
    );
    return { ...entry, ...Object.fromEntries(added) };
  });
}

/**
 * @param change gets an entry, whether the service fills in a member or this version does not know it, and the entry of the
 * other list with the same key
 */
function withEntries(
  field: PolicyField | undefined,
  list: JsonValue,
  other: JsonValue,
  change: (entry: JsonObject, isFilledIn: (name: string) => boolean, same: JsonObject | undefined) => JsonObject,
): JsonValue {
  const entry: ListEntry | undefined = field?.type === "list" ? field.entry : undefined;
  if (!entry || !Array.isArray(list)) return list;
  const { key, fields, filledIn = [] } = entry;
  const isFilledIn = (name: string) => filledIn.includes(name) || (name !== key && !Object.hasOwn(fields, name));
  const others = Array.isArray(other) ? other.filter(isJsonObject) : [];
  const byKey = new Map(others.map((item) => [entryKey(entry, item), item]));
  return list.map((item) => (isJsonObject(item) ? change(item, isFilledIn, byKey.get(entryKey(entry, item))) : item));
}
