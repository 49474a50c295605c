import { wireAmount } from "../amount.ts";
import { isJsonInteger, isJsonObject, type JsonObject, type JsonValue, NumberLiteral } from "../json.ts";
import type { ListField, PolicyField, PolicyFields } from "./field.ts";

/** Returns whether a value of a merge patch has the type of its field; ranges are validated with the request. */
export function fits(field: PolicyField, value: JsonValue): boolean {
  if (value === null) return true;
  switch (field.type) {
    case "amount":
      return (wireAmount(value) ?? -1n) >= 0n;
    case "integer":
      return isJsonInteger(value);
    case "flag":
      return typeof value === "boolean";
    case "decimal":
      return isJsonInteger(value) || typeof value === "number" || value instanceof NumberLiteral;
    case "word":
      return typeof value === "string";
    case "list":
      return Array.isArray(value) && value.every((item) => fitsEntry(field, item));
    case "object":
      return isJsonObject(value) && fitAll(field.fields, value);
    case "json":
      return isJsonObject(value);
  }
}

const EVM_ADDRESS = /^0x[0-9a-f]{40}$/i;

function fitsEntry({ entry, words, form, addresses }: ListField, item: JsonValue): boolean {
  if (entry) return isJsonObject(item) && typeof item[entry.key] === "string" && fitAll(entry.fields, item);
  if (typeof item !== "string") return false;
  if (addresses === "evm") return EVM_ADDRESS.test(item);
  return words ? words.includes(item) : form?.problem(item) === undefined;
}

function fitAll(fields: PolicyFields, object: JsonObject): boolean {
  return Object.entries(object).every(([key, value]) => {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    return field !== undefined && fits(field, value);
  });
}
