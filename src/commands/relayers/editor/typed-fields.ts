import type { Problems } from "../../../command-support/problems.ts";
import { AmountError, parseAmount, wireAmount } from "../../../contract/amount.ts";
import { isJsonInteger, isJsonObject, type JsonObject, type JsonValue } from "../../../contract/json.ts";
import { type AmountField, fieldCurrency } from "../../../contract/policy.ts";
import { choiceOf } from "../../../nearest.ts";
import { fieldParts, type Part } from "../edit/part.ts";
import { keyOf } from "./entries.ts";

/** Returns an object's fields as typed: amounts with a unit become numbers. @param before the object as shown */
export function typedFields(
  problems: Problems,
  object: JsonObject,
  parts: readonly Part[],
  before: JsonObject,
): JsonObject {
  const typed: JsonObject = {};
  const partOf = new Map(parts.map((part) => [keyOf(part), part]));
  for (const [key, value] of Object.entries(object)) {
    const part = partOf.get(key);
    if (part) typed[key] = typedValue(problems, value, part, before[key]);
    else problems.add(`${prefixOf(parts)}${key}`, `unknown field${choiceOf([key], [...partOf.keys()])}`);
  }
  return typed;
}

function typedValue(
  problems: Problems,
  value: JsonValue,
  { path, field }: Part,
  before: JsonValue | undefined,
): JsonValue {
  if (field.type === "object" && isJsonObject(value)) {
    const was = isJsonObject(before) ? before : {};
    return typedFields(problems, value, fieldParts(field.fields, `${path}.`), was);
  }
  return field.type === "amount" ? typedAmount(problems, value, { path, field }, before) : value;
}

/** Returns a typed amount. An unchanged value is kept; others are parsed as on a line, where a price has a unit. */
function typedAmount(
  problems: Problems,
  value: JsonValue,
  { path, field }: { path: string; field: AmountField },
  before: JsonValue | undefined,
): JsonValue {
  const text = typeof value === "string" ? value : isJsonInteger(value) ? String(value) : undefined;
  const amount = wireAmount(value);
  if (text === undefined || (amount !== undefined && amount === wireAmount(before)) || text.startsWith("-"))
    return value;
  try {
    return parseAmount(text, fieldCurrency(field), "line");
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    problems.add(path, error.message, text);
    return value;
  }
}

function prefixOf([first]: readonly Part[]): string {
  return first ? first.path.slice(0, first.path.lastIndexOf(".") + 1) : "";
}
