import type * as z from "zod/mini";
import { asText, isJsonObject, type JsonValue, jsonValueAt } from "../json.ts";
import { Problems } from "../problems.ts";
import { maskRpcUrl, RPC_URL_FIELDS } from "../rpc-url.ts";
import { isSecretFieldPath } from "../secret-fields.ts";
import { brokenRules } from "./broken-rules.ts";

/** Validates a body by its schema; each issue becomes a problem at its source. @param shownAs how to show a field */
export function validateBody(
  problems: Problems,
  schema: z.ZodMiniType,
  body: JsonValue,
  sourceOf: (path: string) => string,
  shownAs?: (path: string, value: JsonValue) => string | undefined,
): void {
  for (const { path, rule } of brokenRules(schema, body)) {
    const where = sourceOf(path.map(String).join("."));
    if (!problems.has(where)) problems.add(where, rule, givenInBody(body, path, shownAs));
  }
}

export function bodyFieldRule(schema: z.ZodMiniType, field: string, value: JsonValue): string | undefined {
  const problems = new Problems();
  validateBody(problems, schema, { [field]: value }, (path) => path);
  return problems.found.find(({ where }) => where.split(".")[0] === field)?.rule;
}

export function givenInBody(
  body: JsonValue,
  path: readonly PropertyKey[],
  shownAs: (path: string, value: JsonValue) => string | undefined = () => undefined,
): string | undefined {
  const value = jsonValueAt(body, path);
  if (value === undefined || typeof value === "boolean" || isJsonObject(value) || Array.isArray(value))
    return undefined;
  if (isSecretFieldPath(path.map(String).join("."))) return undefined;
  const text = shownAs(path.map(String).join("."), value) ?? asText(value);
  const isUrl = RPC_URL_FIELDS.some((field) => field === path[0]) && typeof value === "string";
  return isUrl && text !== "" ? maskRpcUrl(text) : text;
}

/** Returns a body field's flag: `--gas-limit` for `gas_limit`, plus words for a nested field. */
export function bodyFlag(path: string): string {
  const [head = "", ...rest] = path.split(".");
  const flag = `--${head.replaceAll("_", "-")}`;
  return rest.length === 0 ? flag : `${flag} (${rest.join(".")})`;
}
