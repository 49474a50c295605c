import { oneOf } from "../../nearest.ts";
import { type JsonValue, jsonValueAt } from "../json.ts";
import type * as z from "./zod.ts";

export interface BrokenSchemaRule {
  path: readonly PropertyKey[];
  /** The problem, or the allowed values. Quotes only names of fields and wrong words. */
  rule: string;
  /** An object's unknown fields, if these are the problem. */
  unknown?: readonly string[];
}

/** The message of a rule without one. A program that also uses Zod may set a language for all copies of it. */
const UNWORDED = "Invalid input";

export function brokenRules(schema: z.ZodMiniType, body: JsonValue): BrokenSchemaRule[] {
  const { error } = schema.safeParse(body, { error: () => UNWORDED });
  return (error?.issues ?? []).map((issue) => ({
    path: issue.path,
    rule: explainRule(issue, body),
    ...(issue.code === "unrecognized_keys" && { unknown: issue.keys }),
  }));
}

function explainRule(issue: z.core.$ZodIssue, body: JsonValue): string {
  if (issue.code === "unrecognized_keys") return `has an unknown field: ${issue.keys.join(", ")}`;
  if (issue.code === "invalid_type" && issue.message === UNWORDED)
    return `must be ${/^[aeiou]/.test(issue.expected) ? `an ${issue.expected}` : `a ${issue.expected}`}`;
  const given = jsonValueAt(body, issue.path);
  if (issue.code === "invalid_value" && typeof given === "string") return oneOf(given, issue.values.map(String));
  return issue.message;
}
