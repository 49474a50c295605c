import { copyJsonObject, isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { isNetworkKind } from "../../contract/network-kind.ts";
import { type PolicyField, type PolicyFields, policyFields } from "../../contract/policy.ts";

/** A policy with a value, not with further policies. */
export interface PolicyLeaf {
  path: readonly string[];
  /** Absent for a policy that this version does not know. */
  field?: PolicyField;
}

export function knownPolicyLeaves(kind: unknown): readonly PolicyLeaf[] {
  return isNetworkKind(kind) ? listLeaves(policyFields[kind]) : [];
}

export function unknownPolicyLeaves(kind: unknown, policies: JsonValue | undefined): readonly PolicyLeaf[] {
  return unknownIn(isNetworkKind(kind) ? policyFields[kind] : {}, policies);
}

export function setPolicyLeaf(object: JsonObject, path: readonly string[], value: JsonValue): void {
  const [head = "", ...rest] = path;
  if (rest.length === 0) {
    object[head] = value;
    return;
  }
  const inner = object[head];
  const next = isJsonObject(inner) ? inner : copyJsonObject({});
  object[head] = next;
  setPolicyLeaf(next, rest, value);
}

function listLeaves(fields: PolicyFields, path: readonly string[] = []): PolicyLeaf[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const at = [...path, name];
    return field.type === "object" ? listLeaves(field.fields, at) : [{ path: at, field }];
  });
}

function unknownIn(fields: PolicyFields, value: JsonValue | undefined, path: readonly string[] = []): PolicyLeaf[] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = [...path, name];
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field) return field.type === "object" ? unknownIn(field.fields, member, at) : [];
    return [{ path: at }];
  });
}
