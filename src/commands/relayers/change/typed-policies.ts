import type { App } from "../../../app.ts";
import type { BodyFile } from "../../../command-support/request-body/body-file.ts";
import { type Label, labelHint } from "../../../config/labels.ts";
import { isJsonObject, type JsonObject, type JsonValue, withField, writeJson } from "../../../contract/json.ts";
import { NETWORK_KINDS, type NetworkKind } from "../../../contract/network-kind.ts";
import { type PolicyField, policyFieldAt, policyFieldPaths, policyFields } from "../../../contract/policy.ts";
import { Problems } from "../../../contract/problems.ts";
import { validateBody } from "../../../contract/requests/body-problems.ts";
import { isPolicyValueJson, policyValue } from "../../../contract/requests/policy-value.ts";
import { replaceRequestAddresses, typedPolicySchemas } from "../../../contract/requests.ts";
import { spelledInteger } from "../../../contract/spelling.ts";
import { nearestChoice } from "../../../nearest.ts";
import { inputFileName, readInputObject } from "../../../session/input-file.ts";
import { listedLabelAddress, readLabels } from "../../../session/labels.ts";

/** `--policies` is read earlier and passed as a file. */
export interface PolicyFlags {
  policy?: string[];
  unsetPolicy?: string[];
  resetPolicies?: true;
}

export interface TypedPolicies {
  /** From `--policy key=value`, keys with dots. */
  set: readonly { key: string; value: string }[];
  unset: readonly string[];
  /** From files; the others override them. */
  fields: JsonObject;
  /** Returns the source of a path, for messages, or `elsewhere`. */
  sourceOf(path: string, elsewhere?: string): string;
  /** The labels for addresses; none if no `@` was typed. */
  labels: readonly Label[];
}

export interface PolicyFiles {
  body: { name: string; policies: JsonObject | null } | undefined;
  own: { name: string; policies: JsonObject } | undefined;
}

export function typedPolicies(
  flags: PolicyFlags,
  { body, own }: PolicyFiles,
  problems: Problems,
): TypedPolicies | null | undefined {
  const named = flags.policy || flags.unsetPolicy || own;
  if (flags.resetPolicies) {
    if (named) problems.add("--reset-policies", "cannot be combined with --policy, --unset-policy or --policies");
    return null;
  }
  if (!named && !body?.policies) return body ? null : undefined;
  const set = joinPairs((flags.policy ?? []).flatMap((text) => splitPair(problems, text)));
  const unset = flags.unsetPolicy ?? [];
  const keys = set.map(({ key }) => key);
  refuseTwice(problems, keys, unset);
  const fields = { ...body?.policies, ...own?.policies };
  return {
    set,
    unset,
    fields,
    labels: [],
    sourceOf: (path, elsewhere) => sourceFor(path, { set, unset, body, own }) ?? elsewhere ?? `--policy ${path}`,
  };
}

function splitPair(problems: Problems, text: string): { key: string; value: string }[] {
  const at = text.indexOf("=");
  const [key, value] = [text.slice(0, at), text.slice(at + 1)];
  if (at > 0 && value !== "") return [{ key, value }];
  if (at > 0) problems.add(`--policy ${key}`, `is empty; relayers update --unset-policy ${key} clears it`);
  else problems.add("--policy", "needs the form key=value", text);
  return [];
}

function joinPairs(pairs: TypedPolicies["set"]): TypedPolicies["set"] {
  const lists = pairs.filter(({ key, value }) => isListOfWords(key) && !isPolicyValueJson(value));
  const keys = new Set(lists.map(({ key }) => key));
  const valuesOf = (key: string) => lists.filter((pair) => pair.key === key).map(({ value }) => value);
  const others = pairs.filter((pair) => !lists.includes(pair));
  return [...others, ...[...keys].map((key) => ({ key, value: valuesOf(key).join(",") }))];
}

function isListOfWords(key: string): boolean {
  return NETWORK_KINDS.some((kind) => {
    const field = policyFieldAt(policyFields[kind], key);
    return field?.type === "list" && !field.entry;
  });
}

function refuseTwice(problems: Problems, set: readonly string[], unset: readonly string[]): void {
  const keys = [...set, ...unset];
  for (const [index, key] of keys.entries()) {
    const other = keys.slice(0, index).find((before) => isWithinPolicy(key, before) || isWithinPolicy(before, key));
    const flag = index < set.length ? "--policy" : "--unset-policy";
    if (other !== undefined) problems.add(`${flag} ${key}`, `${other} is already specified`);
  }
}

export function isWithinPolicy(path: string, outer: string): boolean {
  return `${path}.`.startsWith(`${outer}.`);
}

function sourceFor(path: string, { set, unset, body, own }: Pick<TypedPolicies, "set" | "unset"> & PolicyFiles) {
  const [head = ""] = path.split(".");
  if (path === "") return "--policy";
  if (set.some(({ key }) => key.split(".")[0] === head)) return `--policy ${path}`;
  if (own && head in own.policies) return `${own.name} ${path}`;
  if (body?.policies && head in body.policies) return `${body.name} policies.${path}`;
  return unset.some((key) => isWithinPolicy(key, head)) ? `--unset-policy ${path}` : undefined;
}

export async function typedPoliciesFromFlags(
  { app, flags }: { app: App; flags: PolicyFlags & { policies?: string } },
  file: BodyFile,
  problems: Problems,
): Promise<TypedPolicies | null | undefined> {
  const { policies: path } = flags;
  const own = path === undefined ? undefined : await problems.gather(() => readInputObject(app, path));
  const { policies } = file.fields;
  const files = {
    body: isJsonObject(policies) || policies === null ? { name: file.name, policies } : undefined,
    own: own && { name: inputFileName(path ?? ""), policies: own },
  };
  const typed = typedPolicies(flags, files, problems);
  const mayHaveLabels = typed && writeJson([...typed.set.map(({ value }) => value), typed.fields]).includes("@");
  return mayHaveLabels ? { ...typed, labels: await readLabels(app) } : typed;
}

/** @param kind undefined if unknown, as in a dry run. Then the patch is valid if all kinds that accept it agree. */
export function typedPolicyPatch(problems: Problems, typed: TypedPolicies, kind: NetworkKind | undefined): JsonObject {
  if (kind) return patchOfKind(problems, typed, kind);
  const tries = NETWORK_KINDS.map((kind) => {
    const own = new Problems();
    return { kind, own, patch: patchOfKind(own, typed, kind) };
  });
  const fitting = tries.filter(({ own }) => own.found.length === 0);
  const [first] = fitting;
  if (!first) return patchOfKind(problems, typed, closestKind(tries));
  const spellings = new Set(fitting.map(({ patch }) => writeJson(patch)));
  const kinds = fitting.map(({ kind }) => kind).join(" and ");
  if (spellings.size > 1) problems.add("--policy", `means different things for ${kinds} relayers; add --network-type`);
  return first.patch;
}

/** Returns the kind with the fewest problems, where an unknown policy is worse than any value. */
function closestKind(tries: readonly { kind: NetworkKind; own: Problems }[]): NetworkKind {
  const doubt = ({ own }: (typeof tries)[number]) =>
    own.found.reduce((sum, { rule }) => sum + (/^unknown policy/.test(rule) ? 1_000 : 1), 0);
  return tries.reduce((best, next) => (doubt(next) < doubt(best) ? next : best)).kind;
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

export function withAddresses(
  problems: Problems,
  policies: JsonObject,
  { labels, sourceOf }: Pick<TypedPolicies, "labels" | "sourceOf">,
  kind: NetworkKind,
): JsonObject {
  return replaceRequestAddresses(policies, kind, (text, path) => {
    const found = listedLabelAddress(labels, kind, text);
    if ("address" in found) return found.address;
    problems.add(sourceOf(path.join(".")), found.rule, text);
    problems.hint = labelHint(labels);
    return text;
  });
}

/** Returns a value from a file. Only amounts in wei may be strings; others are integers (facts 4.3 and 13.11). */
function fileValue(value: JsonValue, field: PolicyField): JsonValue {
  return field.type === "amount" && field.unit === "wei" ? spelledInteger(value) : value;
}

function knownField(problems: Problems, where: string, key: string, kind: NetworkKind): PolicyField | undefined {
  const fields = policyFields[kind];
  const field = policyFieldAt(fields, key);
  if (field) return field;
  const known = policyFieldPaths(fields);
  problems.add(where, `unknown policy for ${kind} relayers${nearestChoice([key], known)}`);
  return undefined;
}
