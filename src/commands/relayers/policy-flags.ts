import { AmountError, parseAmount } from "../../contract/amount.ts";
import { type JsonObject, JsonSyntaxError, type JsonValue, parseJson } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { fieldAt, fieldPaths, type PolicyField, policyFields } from "../../contract/policy.ts";
import type { Problems } from "../../flow/problems.ts";

/** What was typed about policies, before it is known of which kind they are. */
export interface PolicyFlags {
  /** `key=value`, key with dots. */
  set: readonly string[];
  unset: readonly string[];
  /** The object of `--policies`, which the others override. */
  file: JsonObject;
}

/** The policy patch that was typed for a relayer of this kind. */
export function policyFromFlags(problems: Problems, typed: PolicyFlags, kind: NetworkKind): JsonObject {
  const patch: JsonObject = { ...typed.file };
  for (const text of typed.set) {
    const [key, value] = splitPair(text);
    const field = fieldOf(problems, "--policy", key, kind);
    if (!field) continue;
    if (value === undefined) problems.add("--policy", "needs the form key=value", key);
    else if (value === "") problems.add(`--policy ${key}`, `is empty; --unset-policy ${key} clears it`);
    else put(patch, key, readValue(problems, key, value, field));
  }
  for (const key of typed.unset) {
    if (fieldOf(problems, "--unset-policy", key, kind)) put(patch, key, null);
  }
  return patch;
}

function splitPair(text: string): [string, string | undefined] {
  const at = text.indexOf("=");
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function fieldOf(problems: Problems, flag: string, key: string, kind: NetworkKind): PolicyField | undefined {
  const field = fieldAt(policyFields[kind], key);
  if (!field) problems.add(flag, `no such policy of ${kind} relayers; known: ${fieldPaths(policyFields[kind]).join(", ")}`, key);
  return field;
}

function readValue(problems: Problems, key: string, text: string, field: PolicyField): JsonValue | undefined {
  switch (field.type) {
    case "amount":
      return tryRead(problems, key, text, () => parseAmount(text, field.unit));
    case "word":
      return text;
    case "flag":
      if (text === "true" || text === "false") return text === "true";
      problems.add(`--policy ${key}`, "true or false", text);
      return undefined;
    case "integer":
      if (/^[0-9]+$/.test(text)) return BigInt(text);
      problems.add(`--policy ${key}`, `a whole number from 0 to ${field.most}`, text);
      return undefined;
    case "decimal":
    case "list":
    case "object":
      return tryRead(problems, key, text, () => parseJson(text));
  }
}

function tryRead(problems: Problems, key: string, text: string, read: () => JsonValue): JsonValue | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof AmountError) problems.add(`--policy ${key}`, error.message, text);
    else if (error instanceof JsonSyntaxError) problems.add(`--policy ${key}`, `needs JSON: ${error.message}`, text);
    else throw error;
    return undefined;
  }
}

/** Sets a member by its dotted path; objects on the way are made, since the service merges them (service-facts 4.5). */
function put(patch: JsonObject, path: string, value: JsonValue | undefined): void {
  if (value === undefined) return;
  const [head = "", ...rest] = path.split(".");
  if (rest.length === 0) {
    patch[head] = value;
    return;
  }
  const inner: JsonObject = { ...(patch[head] as JsonObject | undefined) };
  put(inner, rest.join("."), value);
  patch[head] = inner;
}
