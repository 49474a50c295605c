import { wireAmount } from "../../contract/amount.ts";
import { isNumber } from "../../contract/decimal.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import type { ListEntry, ListField, PolicyField, PolicyFields } from "../../contract/policy.ts";
import { canonicalJson, canonicalObject, canonicalSet, canonicalText } from "./canonical-json.ts";

/** Returns the same text for equal values of a policy; undefined if it acts as if unset (facts 4.3). */
export function canonicalPolicy(field: PolicyField, value: JsonValue | undefined): string | undefined {
  const text = setText(field, value);
  return text === setText(field, canonicalUnsetPolicy(field)) ? undefined : text;
}

/** Returns the value that the service uses while a field is unset. */
export function canonicalUnsetPolicy(field: PolicyField): JsonValue | undefined {
  if ("default" in field && field.default !== undefined) return field.default;
  if (field.type === "word") return field.sameAsUnset;
  return field.type === "list" && field.empty !== undefined && field.empty === field.unset ? [] : undefined;
}

/** Returns whether a service's value has a possible type for its field: any other type proves nothing. */
export function isReadablePolicy(field: PolicyField, value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  switch (field.type) {
    case "amount":
    case "integer":
      return wireAmount(value) !== undefined;
    case "decimal":
      return roundedText(value) !== undefined;
    case "flag":
      return typeof value === "boolean";
    case "word":
      return typeof value === "string";
    case "list":
      return Array.isArray(value) && value.every((item) => entryKey(field.entry, item) !== undefined);
    case "object":
    case "json":
      return isJsonObject(value);
  }
}

/** Returns the identity of a list's entry, in the same spelling for all aliases; undefined if it is not an entry. */
export function entryKey(entry: ListEntry | undefined, item: JsonValue): string | undefined {
  const key = entry && isJsonObject(item) ? item[entry.key] : item;
  if (typeof key !== "string" || (entry !== undefined && !isJsonObject(item))) return undefined;
  return entry?.aliases?.[key] ?? key;
}

function setText(field: PolicyField, value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  switch (field.type) {
    case "amount":
    case "integer":
      return wireAmount(value)?.toString() ?? canonicalJson(value);
    case "decimal":
      return roundedText(value) ?? canonicalJson(value);
    case "list":
      return Array.isArray(value) ? listSpelling(field, value) : canonicalJson(value);
    case "object":
      return isJsonObject(value) ? membersText(field.fields, value) : canonicalJson(value);
    default:
      return canonicalText(value);
  }
}

/** Returns the text of a number in the precision of the service, an f32 (facts 4.3). */
function roundedText(value: JsonValue): string | undefined {
  const text = isNumber(value) ? String(value) : value;
  const rounded = typeof text === "string" && text.trim() !== "" ? Math.fround(Number(text)) : Number.NaN;
  return Number.isFinite(rounded) ? String(rounded + 0) : undefined;
}

function listSpelling(field: ListField, items: readonly JsonValue[]): string {
  const texts = items.map((item) => itemText(field, item));
  // Swaps are tried in the order of the list.
  return field.words ? `[${texts.join(",")}]` : canonicalSet(texts);
}

function itemText({ entry, addresses }: ListField, item: JsonValue): string {
  if (entry && isJsonObject(item)) {
    const key = entryKey(entry, item);
    return membersText(entry.fields, key === undefined ? item : { ...item, [entry.key]: key }) ?? "{}";
  }
  return canonicalJson(addresses === "evm" && typeof item === "string" ? item.toLowerCase() : item);
}

function membersText(fields: PolicyFields, object: JsonObject): string | undefined {
  const text = canonicalObject(
    Object.entries(object).map(([name, value]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      return [name, field ? canonicalPolicy(field, value) : canonicalText(value)];
    }),
  );
  return text === "{}" ? undefined : text;
}
