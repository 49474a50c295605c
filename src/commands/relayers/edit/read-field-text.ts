import { withExample } from "../../../command-support/prompting/ask-text.ts";
import type { JsonValue } from "../../../contract/json.ts";
import type { AmountField, PolicyField } from "../../../contract/policy.ts";
import { Problems } from "../../../contract/problems.ts";
import { validateBody } from "../../../contract/requests/body-problems.ts";
import { policyValue } from "../../../contract/requests/policy-value.ts";
import { fieldSchema } from "../../../contract/requests.ts";

/** A parsed value, or the broken rule with an example. */
export type Reading = { value: JsonValue } | { problem: string };

export function readFieldText(text: string, field: PolicyField): Reading {
  const problems = new Problems();
  const value = policyValue(problems, "", text, field, "prompt");
  if (value !== undefined) validateBody(problems, fieldSchema(field), value, () => "");
  const [problem] = problems.found;
  if (problem) {
    const example = exampleOf(field);
    const isShown = example === undefined || problem.rule.includes(example);
    return { problem: isShown ? problem.rule : withExample(problem.rule, example) };
  }
  return value === undefined ? { problem: "cannot be read" } : { value };
}

/** Returns what can be typed, briefly and with an example, for the prompt. */
export function typedForm(field: PolicyField): string {
  if (field.type === "amount") return `e.g. ${amountExample(field)}`;
  const example = exampleOf(field);
  if (field.type === "word" && field.form && example === undefined) return field.form.rule;
  return example === undefined ? "" : `e.g. ${example}`;
}

export function amountExample({ unit, perGas, symbol }: AmountField): string {
  if (unit !== "wei") return unit === "lamport" ? "0.01sol" : "0.1xlm";
  return perGas || symbol === undefined ? "80gwei" : `0.5${symbol.toLowerCase()}`;
}

export function exampleOf(field: PolicyField): string | undefined {
  switch (field.type) {
    case "amount":
      return amountExample(field);
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
