import { oneOf } from "../../nearest.ts";
import { type JsonValue, valueAt } from "../json.ts";
import type * as z from "./zod.ts";

export interface BrokenSchemaRule {
  path: readonly PropertyKey[];
  /** What is wrong, or what is allowed. Contains no part of the body but the names of its fields and wrong words. */
  rule: string;
  /** The unknown fields of an object, if that is what is wrong. */
  unknown?: readonly string[];
}

/** The message of a rule without one. A program that also uses Zod may set its language, which all copies of Zod then use. */
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
  const given = valueAt(body, issue.path);
  if (issue.code === "invalid_value" && typeof given === "string") return oneOf(given, issue.values.map(String));
  return issue.message;
}
