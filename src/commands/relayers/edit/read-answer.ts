import type { BaseUnit } from "../../../contract/amount.ts";
import type { JsonValue } from "../../../contract/json.ts";
import type { PolicyField } from "../../../contract/policy.ts";
import { fieldSchema } from "../../../contract/requests.ts";
import { judgeBody } from "../../../flow/body-problems.ts";
import { Problems } from "../../../flow/problems.ts";
import { policyValue } from "../policy-value.ts";

/** What was typed as a value, or the rule that it breaks, with an example. */
export type Reading = { value: JsonValue } | { problem: string };

export function readAnswer(text: string, field: PolicyField): Reading {
  const problems = new Problems();
  const value = policyValue(problems, "", text, field);
  if (value !== undefined) judgeBody(problems, fieldSchema(field), value, () => "");
  const [problem] = problems.found;
  if (problem) return { problem: withExample(problem.rule, field) };
  return value === undefined ? { problem: "cannot be read" } : { value };
}

/** What can be typed, in a few words and by an example, for the question itself. */
export function typedForm(field: PolicyField): string {
  if (field.type === "amount") return `with its unit, as ${AMOUNTS[field.unit]}`;
  const example = exampleOf(field);
  if (field.type === "word" && field.form && example === undefined) return field.form.rule;
  return example === undefined ? "" : `as ${example}`;
}

function withExample(rule: string, field: PolicyField): string {
  const example = exampleOf(field);
  return example === undefined || rule.includes("for example") || rule.includes(example)
    ? rule
    : `${rule}, for example ${example}`;
}

const AMOUNTS: Record<BaseUnit, string> = { wei: "80gwei", lamport: "0.01sol", stroop: "0.1xlm" };

function exampleOf(field: PolicyField): string | undefined {
  switch (field.type) {
    case "amount":
      return AMOUNTS[field.unit];
    case "integer":
      return "60";
    case "decimal":
      return "0.5";
    case "word":
      return field.form?.example;
    case "list":
    case "json":
      return field.example;
    default:
      return undefined;
  }
}
