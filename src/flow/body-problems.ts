import * as z from "zod/mini";
import { isJsonObject, type JsonValue, writeJson } from "../contract/json.ts";
import type { Problems } from "./problems.ts";

type Path = readonly PropertyKey[];

/**
 * Judges a body by its schema; each issue becomes a problem at the place that `whereOf` names.
 * @param secret whether what was given at a path must not be shown
 */
export function judgeBody(
  problems: Problems,
  schema: z.ZodMiniType,
  body: JsonValue,
  whereOf: (path: string) => string,
  secret: (path: string) => boolean = () => false,
): void {
  const judged = z.safeParse(schema, body);
  for (const issue of judged.error?.issues ?? []) {
    const path = issue.path.map(String).join(".");
    if (problems.has(whereOf(path))) continue;
    problems.add(whereOf(path), ruleOf(issue), secret(path) ? undefined : givenAt(body, issue.path));
  }
}

function ruleOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") return `has an unknown member: ${issue.keys.join(", ")}`;
  if (issue.code === "invalid_type" && issue.message === "Invalid input") return `needs to be ${article(issue.expected)}`;
  return issue.message;
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function givenAt(body: JsonValue, path: Path): string | undefined {
  let value: JsonValue | undefined = body;
  for (const key of path) value = Array.isArray(value) ? value[Number(key)] : isJsonObject(value) ? value[String(key)] : undefined;
  if (value === undefined || (typeof value === "object" && value !== null)) return undefined;
  return typeof value === "string" ? value : writeJson(value);
}

/** The flag of a body member: `gas_limit` is `--gas-limit`; of a nested one, the flag of its head and the rest in words. */
export function flagOf(path: string): string {
  const [head = "", ...rest] = path.split(".");
  const flag = `--${head.replaceAll("_", "-")}`;
  return rest.length === 0 ? flag : `${flag} (${rest.join(".")})`;
}
