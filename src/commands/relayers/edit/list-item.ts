import { Problems } from "../../../command-support/problems.ts";
import { validateBody } from "../../../command-support/request-body/body-problems.ts";
import { addressProblem } from "../../../contract/address.ts";
import { isJsonObject, type JsonValue, writeJson } from "../../../contract/json.ts";
import type { ListField } from "../../../contract/policy.ts";
import { itemSchema } from "../../../contract/requests.ts";

/** Returns an entry of a list on one line; for an object its key, and its symbol if there is one. */
export function itemText(item: JsonValue, { entry }: ListField): string {
  if (typeof item === "string") return item;
  if (!entry || !isJsonObject(item)) return writeJson(item);
  const symbol = typeof item.symbol === "string" && item.symbol !== "" ? ` (${item.symbol})` : "";
  return keyOf(item, entry.key) + symbol;
}

/** Returns why a text cannot be added to a list, with an example; undefined if it can. */
export function itemProblem(text: string, list: readonly JsonValue[], field: ListField): string | undefined {
  const rule = ruleFor(text, field);
  if (rule !== undefined) return `${rule}, e.g. ${field.example}`;
  return isListed(text, list, field) ? `${text} is already in the list` : undefined;
}

function ruleFor(text: string, field: ListField): string | undefined {
  if (field.addresses === "evm") return addressProblem(text);
  const problems = new Problems();
  validateBody(problems, itemSchema(field), text, () => "");
  return problems.found[0]?.rule;
}

/** Returns whether a list has this text, or an entry with this key. An EVM address's case is only a checksum. */
export function isListed(text: string, list: readonly JsonValue[], { entry, addresses }: ListField): boolean {
  const spelled = (key: string) => (addresses === "evm" ? key.toLowerCase() : key);
  return list.some((item) => spelled(keyOf(item, entry?.key)) === spelled(text));
}

function keyOf(item: JsonValue, key: string | undefined): string {
  const value = isJsonObject(item) && key !== undefined ? item[key] : item;
  return typeof value === "string" ? value : "";
}
