import type { App } from "../../../app.ts";
import type { BodyFile } from "../../../command-support/request-body/body-file.ts";
import type { Label } from "../../../config/labels.ts";
import { isJsonObject, type JsonObject, writeJson } from "../../../contract/json.ts";
import { NETWORK_KINDS } from "../../../contract/network-kind.ts";
import { fieldAt, policyFields } from "../../../contract/policy.ts";
import type { Problems } from "../../../contract/problems.ts";
import { isJson } from "../../../contract/requests/policy-value.ts";
import { inputName, readJsonObject } from "../../../session/input-file.ts";
import { readLabels } from "../../../session/labels.ts";

/** The policy flags; `--policies` is read earlier and passed as a file. */
export interface PolicyFlags {
  policy?: string[];
  unsetPolicy?: string[];
  resetPolicies?: true;
}

export interface TypedPolicies {
  /** From `--policy key=value`, keys with dots. */
  set: readonly { key: string; value: string }[];
  unset: readonly string[];
  /** The fields from files, which the others override. */
  fields: JsonObject;
  /** Returns the source of a path, for messages; `elsewhere` if it was not typed. */
  sourceOf(path: string, elsewhere?: string): string;
  /** The labels that an address may be typed as; none if no `@` was typed. */
  labels: readonly Label[];
}

export interface PolicyFiles {
  /** The `policies` of the file of `-f`. */
  body: { name: string; policies: JsonObject | null } | undefined;
  /** The file of `--policies`. */
  own: { name: string; policies: JsonObject } | undefined;
}

/** Returns undefined if no policy is specified; null to reset them all. */
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
  const set = joined((flags.policy ?? []).flatMap((text) => splitPair(problems, text)));
  const unset = flags.unsetPolicy ?? [];
  const keys = set.map(({ key }) => key);
  refuseTwice(problems, keys, unset);
  const fields = { ...body?.policies, ...own?.policies };
  return {
    set,
    unset,
    fields,
    labels: [],
    sourceOf: (path, elsewhere) => getSource(path, { set, unset, body, own }) ?? elsewhere ?? `--policy ${path}`,
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

function joined(pairs: TypedPolicies["set"]): TypedPolicies["set"] {
  const lists = pairs.filter(({ key, value }) => isListOfWords(key) && !isJson(value));
  const keys = new Set(lists.map(({ key }) => key));
  const listValues = (key: string) => lists.filter((pair) => pair.key === key).map(({ value }) => value);
  const others = pairs.filter((pair) => !lists.includes(pair));
  return [...others, ...[...keys].map((key) => ({ key, value: listValues(key).join(",") }))];
}

function isListOfWords(key: string): boolean {
  return NETWORK_KINDS.some((kind) => {
    const field = fieldAt(policyFields[kind], key);
    return field?.type === "list" && !field.entry;
  });
}

function refuseTwice(problems: Problems, set: readonly string[], unset: readonly string[]): void {
  const keys = [...set, ...unset];
  for (const [index, key] of keys.entries()) {
    const other = keys.slice(0, index).find((before) => isWithin(key, before) || isWithin(before, key));
    const flag = index < set.length ? "--policy" : "--unset-policy";
    if (other !== undefined) problems.add(`${flag} ${key}`, `${other} is already specified`);
  }
}

export function isWithin(path: string, outer: string): boolean {
  return `${path}.`.startsWith(`${outer}.`);
}

function getSource(
  path: string,
  { set, unset, body, own }: Pick<TypedPolicies, "set" | "unset"> & PolicyFiles,
): string | undefined {
  const [head = ""] = path.split(".");
  if (path === "") return "--policy";
  if (set.some(({ key }) => key.split(".")[0] === head)) return `--policy ${path}`;
  if (own && head in own.policies) return `${own.name} ${path}`;
  if (body?.policies && head in body.policies) return `${body.name} policies.${path}`;
  return unset.some((key) => isWithin(key, head)) ? `--unset-policy ${path}` : undefined;
}

export interface PolicyFileFlags extends PolicyFlags {
  policies?: string;
}

/** Reads policies from flags and files. Returns undefined if no policy is specified; null to reset them all. */
export async function policiesFromFlags(
  { app, flags }: { app: App; flags: PolicyFileFlags },
  file: BodyFile,
  problems: Problems,
): Promise<TypedPolicies | null | undefined> {
  const { policies: path } = flags;
  const own = path === undefined ? undefined : await problems.gather(() => readJsonObject(app, path));
  const { policies } = file.fields;
  const files = {
    body: isJsonObject(policies) || policies === null ? { name: file.name, policies } : undefined,
    own: own && { name: inputName(path ?? ""), policies: own },
  };
  const typed = typedPolicies(flags, files, problems);
  const mayHaveLabels = typed && writeJson([...typed.set.map(({ value }) => value), typed.fields]).includes("@");
  return mayHaveLabels ? { ...typed, labels: await readLabels(app) } : typed;
}
