import { isJsonObject, type JsonObject, type JsonValue, keysOf } from "../../../contract/json.ts";
import { fieldAt, fieldCurrency, type PolicyField, policyFieldsOf } from "../../../contract/policy.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { showAmount } from "../../../terminal/amount-text.ts";
import type { BlockLine, Cell } from "../../../terminal/view.ts";
import { cell, lines } from "../../cells.ts";
import { isDefault } from "./policy-field.ts";

/** Returns the policies of a relayer, one line per field, amounts with a unit and in full. */
export function policyLines(relayer: Relayer, symbol: string | undefined): BlockLine[] {
  const { policies, network_type } = relayer;
  if (!isJsonObject(policies)) return [];
  const fields = policyFieldsOf(network_type, symbol);
  return [
    { label: "policies", value: { text: "" } },
    ...leafEntries(policies, "").flatMap(([path, value]) => fieldLines(path, value, fieldAt(fields, path))),
  ];
}

/** Returns fields by dotted path; objects are split, lists are not. */
function leafEntries(object: JsonObject, prefix: string): [string, JsonValue][] {
  return keysOf(object).flatMap((key): [string, JsonValue][] => {
    const value = object[key] ?? null;
    return isJsonObject(value) ? leafEntries(value, `${prefix}${key}.`) : [[prefix + key, value]];
  });
}

function fieldLines(path: string, value: JsonValue, field: PolicyField | undefined): BlockLine[] {
  if (Array.isArray(value)) return lines(path, [{ text: countText(value.length) }, ...value.map(cell)], true);
  return lines(path, [valueCell(value, field)], true);
}

/** Returns the length of a list in words. */
export function countText(count: number): string {
  if (count === 0) return "none";
  return count === 1 ? "1 entry" : `${count} entries`;
}

function valueCell(value: JsonValue, field: PolicyField | undefined): Cell {
  const text = field?.type === "amount" ? showAmount(value, fieldCurrency(field)) : cell(value).text;
  return isDefault(value, field) ? { text: `${text} (default)`, tone: "faint" } : { text };
}
