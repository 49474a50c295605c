import { wireAmount } from "../../../contract/amount.ts";
import { isJsonObject, type JsonValue } from "../../../contract/json.ts";
import { fieldCurrency } from "../../../contract/policy.ts";
import { cell } from "../../../terminal/cells.ts";
import { countText, isDefault, showAmount } from "../../../views/policy-field.ts";
import type { PartField } from "./part.ts";

export function shownValue(value: JsonValue, field: PartField): string {
  if (value === null) return shownUnset(field);
  const text = shownSet(value, field);
  return "default" in field && isDefault(value, field) ? `${text} (default)` : text;
}

export function unsetMeaning(field: PartField): string | undefined {
  if ("default" in field && field.default !== undefined) return `default: ${shownSet(field.default, field)}`;
  return "unset" in field ? field.unset : undefined;
}

function shownUnset(field: PartField): string {
  const meaning = unsetMeaning(field);
  return meaning === undefined ? "not set" : `not set (${meaning})`;
}

function shownSet(value: JsonValue, field: PartField): string {
  switch (field.type) {
    case "amount":
      return showAmount(value, fieldCurrency(field, wireAmount(value)));
    case "state":
      return value === true ? "paused" : "active";
    case "list":
      return Array.isArray(value) ? countText(value.length) : cell(value).text;
    case "rpc_urls":
      return Array.isArray(value) ? `${value.length} (masked: replaced as a whole or not at all)` : cell(value).text;
    case "object":
      return isJsonObject(value) ? setText(Object.values(value)) : cell(value).text;
    default:
      return cell(value).text;
  }
}

function setText(fields: readonly JsonValue[]): string {
  const count = fields.filter((key) => key !== null).length;
  return count === 1 ? "1 field set" : `${count} fields set`;
}
