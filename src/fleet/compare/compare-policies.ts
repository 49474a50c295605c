import {
  copyJsonObject,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonValueAt,
  mergePatch,
} from "../../contract/json.ts";
import { isNetworkKind } from "../../contract/network-kind.ts";
import { type ListEntry, type PolicyField, policyGaps } from "../../contract/policy.ts";
import { canonicalText } from "./canonical-json.ts";
import { canonicalPolicy, canonicalUnsetPolicy, entryKey, isReadablePolicy } from "./canonical-policy.ts";
import { type Findings, reasons } from "./findings.ts";
import { knownPolicyLeaves, type PolicyLeaf, unknownPolicyLeaves } from "./policy-leaves.ts";

/** Compares a relayer's policies. A policy that the file lacks is unset, unless this version does not know it. */
export function comparePolicies(
  { kind, desired, live }: { kind: JsonValue | undefined; desired: JsonValue | undefined; live: JsonValue | undefined },
  findings: Findings,
): void {
  const required = isNetworkKind(kind) ? policyGaps(kind, desired ?? {}) : [];
  for (const { path, field } of [...knownPolicyLeaves(kind), ...unknownPolicyLeaves(kind, desired)]) {
    const name = ["policies", ...path].join(".");
    const after = jsonValueAt(desired, path) ?? null;
    const found = jsonValueAt(live, path) ?? null;
    const before = withEntries(field, found, after, (entry, isFilledIn, described) => {
      const left = Object.entries(entry).filter(([name]) => !isFilledIn(name) || (described?.[name] ?? null) !== null);
      return Object.fromEntries(left);
    });
    if (field && !isReadablePolicy(field, found)) {
      findings.unknown(name, reasons.unreadable);
      continue;
    }
    if (comparedText(field, after) === comparedText(field, before)) continue;
    const rule = after === null && required.find((missing) => missing.path === path.join("."))?.rule;
    if (rule) {
      findings.impossible(name, { before, after, reason: `the service requires it: ${rule}` });
      continue;
    }
    const sent = withFilledIn(field, after, found);
    findings.change({
      path: ["policies", ...path],
      before,
      after,
      default: field && canonicalUnsetPolicy(field),
      sent,
    });
  }
  const { policies } = findings.patch;
  if (isJsonObject(policies)) findings.patch.policies = withoutEmptied(policies, live);
}

export function comparedPolicyText({ field, path }: PolicyLeaf, policies: JsonValue | undefined): string | undefined {
  return comparedText(field, jsonValueAt(policies, path));
}

function comparedText(field: PolicyField | undefined, value: JsonValue | undefined): string | undefined {
  return field ? canonicalPolicy(field, value) : canonicalText(value);
}

/** Returns a patch that removes an object instead of each of its members: the service may reject an empty object. */
function withoutEmptied(patch: JsonObject, live: JsonValue | undefined): JsonObject {
  const smaller = copyJsonObject(patch);
  for (const [name, value] of Object.entries(patch)) {
    const before = jsonValueAt(live, [name]);
    if (!isJsonObject(value) || !isJsonObject(before)) continue;
    const isEmptied = canonicalText(mergePatch(before, value)) === undefined;
    smaller[name] = isEmptied ? null : withoutEmptied(value, before);
  }
  return smaller;
}

/** Returns a list of a file with the service's additions, so that sending the whole list does not remove them. */
function withFilledIn(field: PolicyField | undefined, desired: JsonValue, live: JsonValue): JsonValue {
  return withEntries(field, desired, live, (entry, isFilledIn, found) => {
    const added = Object.entries(found ?? {}).filter(
      ([name, value]) => isFilledIn(name) && value !== null && (entry[name] ?? null) === null,
    );
    return { ...entry, ...Object.fromEntries(added) };
  });
}

/** @param change gets an entry, whether a member is the service's or unknown here, and the other list's entry */
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
