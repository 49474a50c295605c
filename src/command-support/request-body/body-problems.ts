import type * as z from "zod/mini";
import { isJsonObject, type JsonValue, writeJson } from "../../contract/json.ts";
import { maskRpcUrl, RPC_URL_FIELDS } from "../../contract/rpc-url.ts";
import { isSecretPath } from "../../contract/secret-fields.ts";
import { oneOf } from "../../nearest.ts";
import { Problems } from "../problems.ts";

/**
 * Validates a body by its schema; each issue becomes a problem at its source. Secrets are not shown.
 * @param shownAs returns how to show a field, if not as in the body
 */
export function validateBody(
  problems: Problems,
  schema: z.ZodMiniType,
  body: JsonValue,
  sourceOf: (path: string) => string,
  shownAs: (path: string, value: JsonValue) => string | undefined = () => undefined,
): void {
  const validated = schema.safeParse(body);
  for (const issue of validated.error?.issues ?? []) {
    const where = sourceOf(issue.path.map(String).join("."));
    if (!problems.has(where)) problems.add(where, ruleOf(issue, body), givenAt(body, issue.path, shownAs));
  }
}

/** Returns the schema rule that one field breaks by itself, or undefined. */
export function fieldRule(schema: z.ZodMiniType, field: string, value: JsonValue): string | undefined {
  const problems = new Problems();
  validateBody(problems, schema, { [field]: value }, (path) => path);
  return problems.found.find(({ where }) => where.split(".")[0] === field)?.rule;
}

function ruleOf(issue: z.core.$ZodIssue, body: JsonValue): string {
  if (issue.code === "unrecognized_keys") return `has an unknown field: ${issue.keys.join(", ")}`;
  if (issue.code === "invalid_type" && issue.message === "Invalid input") return `must be ${article(issue.expected)}`;
  const given = issue.path.reduce<JsonValue | undefined>(fieldOf, body);
  if (issue.code === "invalid_value" && typeof given === "string") return oneOf(given, issue.values.map(String));
  return issue.message;
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** Returns the value at a path of a body for display; undefined for a list, an object, or a secret. */
export function givenAt(
  body: JsonValue,
  path: readonly PropertyKey[],
  shownAs: (path: string, value: JsonValue) => string | undefined,
): string | undefined {
  const value = path.reduce<JsonValue | undefined>(fieldOf, body);
  if (value === undefined || typeof value === "boolean" || isJsonObject(value) || Array.isArray(value))
    return undefined;
  if (isSecretPath(path.map(String).join("."))) return undefined;
  const text = shownAs(path.map(String).join("."), value) ?? (typeof value === "string" ? value : writeJson(value));
  const isUrl = RPC_URL_FIELDS.some((field) => field === path[0]) && typeof value === "string";
  return isUrl && text !== "" ? maskRpcUrl(text) : text;
}

function fieldOf(value: JsonValue | undefined, key: PropertyKey): JsonValue | undefined {
  if (Array.isArray(value)) return value[Number(key)];
  return isJsonObject(value) ? value[String(key)] : undefined;
}

/**
 * Returns the flag of a body field: `--gas-limit` for `gas_limit`; for a nested field, the flag of its head and the
 * rest in words.
 */
export function flagOf(path: string): string {
  const [head = "", ...rest] = path.split(".");
  const flag = `--${head.replaceAll("_", "-")}`;
  return rest.length === 0 ? flag : `${flag} (${rest.join(".")})`;
}
