import { labelHint } from "../../../config/labels.ts";
import { isJsonObject, type JsonObject, type JsonValue, writeJson } from "../../../contract/json.ts";
import { NETWORK_KINDS, type NetworkKind } from "../../../contract/network-kind.ts";
import { fieldAt, fieldPaths, type PolicyField, policyFields } from "../../../contract/policy.ts";
import { Problems } from "../../../contract/problems.ts";
import { validateBody } from "../../../contract/requests/body-problems.ts";
import { policyValue } from "../../../contract/requests/policy-value.ts";
import { replaceAddresses, typedPolicySchemas } from "../../../contract/requests.ts";
import { writtenInteger } from "../../../contract/spelling.ts";
import { choiceOf } from "../../../nearest.ts";
import { listedAddress } from "../../../session/labels.ts";
import type { TypedPolicies } from "./typed-policies.ts";

/**
 * Returns the policies to send, validated by the contract.
 * @param kind the relayer's kind; undefined if unknown, as in a dry run. Then every kind is tried, and the patch is
 * valid if all kinds that accept it agree.
 */
export function policyPatch(problems: Problems, typed: TypedPolicies, kind: NetworkKind | undefined): JsonObject {
  if (kind) return patchOfKind(problems, typed, kind);
  const tries = NETWORK_KINDS.map((kind) => {
    const own = new Problems();
    return { kind, own, patch: patchOfKind(own, typed, kind) };
  });
  const fitting = tries.filter(({ own }) => own.found.length === 0);
  const [first] = fitting;
  if (!first) return patchOfKind(problems, typed, closest(tries));
  const spellings = new Set(fitting.map(({ patch }) => writeJson(patch)));
  const kinds = fitting.map(({ kind }) => kind).join(" and ");
  if (spellings.size > 1) problems.add("--policy", `means different things for ${kinds} relayers; add --network-type`);
  return first.patch;
}

function closest(tries: readonly { kind: NetworkKind; own: Problems }[]): NetworkKind {
  return tries.reduce((best, next) => (next.own.found.length < best.own.found.length ? next : best)).kind;
}

function patchOfKind(problems: Problems, typed: TypedPolicies, kind: NetworkKind): JsonObject {
  let patch: JsonObject = {};
  for (const [key, value] of Object.entries(typed.fields)) {
    const field = knownField(problems, typed.sourceOf(key), key, kind);
    if (field) patch[key] = fileValue(value, field);
  }
  for (const { key, value } of typed.set) {
    const field = knownField(problems, `--policy ${key}`, key, kind);
    const read = field && policyValue(problems, key, value, field);
    if (read !== undefined) patch = withField(patch, key, read);
  }
  for (const key of typed.unset) {
    if (knownField(problems, `--unset-policy ${key}`, key, kind)) patch = withField(patch, key, null);
  }
  const resolved = withAddresses(problems, patch, typed, kind);
  validateBody(problems, typedPolicySchemas[kind], resolved, typed.sourceOf);
  return resolved;
}

/** Returns the policies with addresses in place of labels; an unknown label is a problem. */
export function withAddresses(
  problems: Problems,
  policies: JsonObject,
  { labels, sourceOf }: Pick<TypedPolicies, "labels" | "sourceOf">,
  kind: NetworkKind,
): JsonObject {
  return replaceAddresses(policies, kind, (text, path) => {
    const found = listedAddress(labels, kind, text);
    if ("address" in found) return found.address;
    problems.add(sourceOf(path.join(".")), found.rule, text);
    problems.hint = labelHint(labels);
    return text;
  });
}

/** Returns a value from a file. Only amounts in wei may be strings; others are integers (facts 4.3 and 13.11). */
function fileValue(value: JsonValue, field: PolicyField): JsonValue {
  return field.type === "amount" && field.unit === "wei" ? writtenInteger(value) : value;
}

function knownField(problems: Problems, where: string, key: string, kind: NetworkKind): PolicyField | undefined {
  const fields = policyFields[kind];
  const field = fieldAt(fields, key);
  if (field) return field;
  const known = fieldPaths(fields);
  problems.add(where, `unknown policy of ${kind} relayers${choiceOf([key], known)}`);
  return undefined;
}

/** Copies an object with a field set by its dotted path, in parents added as needed (facts 4.5). */
export function withField(object: JsonObject, path: string, value: JsonValue): JsonObject {
  const [head = "", ...rest] = path.split(".");
  if (rest.length === 0) return { ...object, [head]: value };
  const inner = object[head];
  return { ...object, [head]: withField(isJsonObject(inner) ? inner : {}, rest.join("."), value) };
}
