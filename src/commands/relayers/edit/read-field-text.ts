import { withExample } from "../../../command-support/prompting/prompts.ts";
import type { Label } from "../../../config/labels.ts";
import { isJsonObject, type JsonValue, textIn, writeJson } from "../../../contract/json.ts";
import type { AmountField, ListField, PolicyField } from "../../../contract/policy.ts";
import { Problems } from "../../../contract/problems.ts";
import { validateBody } from "../../../contract/requests/body-problems.ts";
import { policyValue } from "../../../contract/requests/policy-value.ts";
import { policyFieldSchema, policyItemSchema, requestAddressProblem } from "../../../contract/requests.ts";
import { listedLabelAddress } from "../../../session/labels.ts";

export type FieldReading = { value: JsonValue } | { problem: string };

export function parseFieldText(text: string, field: PolicyField): FieldReading {
  const problems = new Problems();
  const value = policyValue(problems, "", text, field, "prompt");
  if (value !== undefined) validateBody(problems, policyFieldSchema(field), value, () => "");
  const [problem] = problems.found;
  if (problem) {
    const example = findExample(field);
    const isShown = example === undefined || problem.rule.includes(example);
    return { problem: isShown ? problem.rule : withExample(problem.rule, example) };
  }
  return value === undefined ? { problem: "cannot be read" } : { value };
}

export function fieldTextForm(field: PolicyField): string {
  if (field.type === "amount") return `e.g. ${fieldAmountExample(field)}`;
  const example = findExample(field);
  if (field.type === "word" && field.form && example === undefined) return field.form.rule;
  return example === undefined ? "" : `e.g. ${example}`;
}

export function fieldAmountExample({ unit, perGas, symbol }: AmountField): string {
  if (unit !== "wei") return unit === "lamport" ? "0.01sol" : "0.1xlm";
  return perGas || symbol === undefined ? "80gwei" : `0.5${symbol.toLowerCase()}`;
}

function findExample(field: PolicyField): string | undefined {
  switch (field.type) {
    case "amount":
      return fieldAmountExample(field);
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

export function fieldItemText(item: JsonValue, field: ListField): string {
  if (typeof item === "string") return item;
  if (!field.entry || !isJsonObject(item)) return writeJson(item);
  const symbol = typeof item.symbol === "string" && item.symbol !== "" ? ` (${item.symbol})` : "";
  return fieldItemKey(item, field) + symbol;
}

/** Returns typed text for a list, or an entry's key, with a label's address; or why it can't be added. */
export function readFieldItem(
  text: string,
  { field, list }: { field: ListField; list: readonly JsonValue[] },
  labels: readonly Label[],
): { item: string } | { problem: string } {
  const found = field.addresses ? listedLabelAddress(labels, field.addresses, text) : { address: text };
  const problem = "rule" in found ? found.rule : fieldItemProblem(found.address, list, field);
  return problem === undefined && "address" in found ? { item: found.address } : { problem: problem ?? "" };
}

export function fieldItemProblem(text: string, list: readonly JsonValue[], field: ListField): string | undefined {
  const { addresses, entry, example = "" } = field;
  const key = entry?.fields[entry.key];
  const problems = new Problems();
  validateBody(problems, key ? policyFieldSchema(key) : policyItemSchema(field), text, () => "");
  const rule = problems.found[0]?.rule ?? (addresses && requestAddressProblem(addresses, text));
  if (rule !== undefined) return withExample(rule, (key && findExample(key)) ?? example);
  return isListed(text, list, field) ? `${text} is already in the list` : undefined;
}

function isListed(text: string, list: readonly JsonValue[], field: ListField): boolean {
  const spelled = (key: string) => (field.addresses === "evm" ? key.toLowerCase() : key);
  return list.some((item) => spelled(fieldItemKey(item, field)) === spelled(text));
}

/** Returns a text of a list, or the key of an entry; empty if there is none. */
export function fieldItemKey(item: JsonValue, { entry }: ListField): string {
  return textIn(isJsonObject(item) && entry ? item[entry.key] : item);
}
