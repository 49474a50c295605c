import { parseAmount, typedAmount, wireAmount } from "../../contract/amount.ts";
import {
  copyObject,
  isJsonObject,
  type JsonInteger,
  type JsonObject,
  type JsonValue,
  keysOf,
  NumberLiteral,
} from "../../contract/json.ts";
import { type AmountField, fieldCurrency, type PolicyField, type PolicyFields } from "../../contract/policy.ts";
import { isReadable } from "../compare/canonical-policy.ts";

/** How a file writes amounts: as integers, or with units where that is shorter. */
export type Notation = "json" | "yaml";

/**
 * Returns the policies that a file has to contain, without those that are unset, have the service's default, are unknown, or
 * have a value of an unknown type, since files with it are refused.
 * @param path the dotted path of the fields, for nested ones
 */
export function exportedPolicies(
  policies: JsonValue | undefined,
  fields: PolicyFields,
  notation: Notation,
): JsonObject {
  if (!isJsonObject(policies)) return {};
  const known = Object.entries(fields).flatMap(([key, field]) => {
    const value = policies[key];
    if (value === undefined || value === null || isDefault(value, field) || !isReadable(field, value)) return [];
    const exported = exportedPolicy(value, field, notation);
    return exported === undefined ? [] : [[key, exported] as const];
  });
  return Object.fromEntries(known);
}

function isDefault(value: JsonValue, field: PolicyField): boolean {
  if (!("default" in field) || field.default === undefined) return false;
  return value === field.default || (typeof field.default === "bigint" && wireAmount(value) === field.default);
}

function exportedPolicy(value: JsonValue, field: PolicyField, notation: Notation): JsonValue | undefined {
  switch (field.type) {
    case "amount":
      return exportedAmount(value, field, notation);
    case "integer":
      return computeInteger(value) ?? value;
    case "decimal":
      return shortest(value);
    case "list":
      return exportedList(value, field, notation);
    case "object": {
      const members = exportedPolicies(value, field.fields, notation);
      return Object.keys(members).length === 0 ? undefined : members;
    }
    case "json":
      // Files have no metadata of Stellar's tokens (facts 14).
      return undefined;
    default:
      return fileValue(value);
  }
}

function exportedList(
  value: JsonValue,
  { entry }: Extract<PolicyField, { type: "list" }>,
  notation: Notation,
): JsonValue {
  if (!Array.isArray(value)) return fileValue(value);
  return value.map((item) => (entry ? exportedPolicies(item, entry.fields, notation) : fileValue(item)));
}

function exportedAmount(value: JsonValue, field: AmountField, notation: Notation): JsonValue {
  const amount = wireAmount(value);
  if (amount === undefined) return typeof value === "string" ? fileText(value) : value;
  if (notation === "json") return jsonInteger(amount);
  const currency = fieldCurrency(field);
  const typed = typedAmount(amount, currency);
  return typed.length < String(amount).length && parseAmount(typed, currency) === amount ? typed : jsonInteger(amount);
}

function computeInteger(value: JsonValue): JsonInteger | undefined {
  const integer = wireAmount(value);
  return integer === undefined ? undefined : jsonInteger(integer);
}

function jsonInteger(integer: bigint): JsonInteger {
  return integer <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(integer) : integer;
}

/** Digits that identify any 32-bit number. */
const MOST_DIGITS = 9;

/** Returns the shortest equal number for the service, which calculates with 32 bits: 0.1 for 0.10000000149011612. */
function shortest(value: JsonValue): JsonValue {
  const number = value instanceof NumberLiteral ? Number(value.text) : value;
  if (typeof number !== "number" || Math.fround(number) !== number) return value;
  for (let digits = 1; digits < MOST_DIGITS; digits++) {
    const short = Number(number.toPrecision(digits));
    if (Math.fround(short) === number) return Number.isSafeInteger(short) ? short : new NumberLiteral(String(short));
  }
  return value;
}

/** Returns a text for a file, with `${env:NAME}` and the like escaped. */
export function fileText(text: string): string {
  return text.replaceAll("${", () => "$${");
}

export function fileValue(value: JsonValue): JsonValue {
  if (typeof value === "string") return fileText(value);
  if (Array.isArray(value)) return value.map(fileValue);
  if (!isJsonObject(value)) return value;
  const copy = copyObject(value);
  for (const key of keysOf(value)) copy[key] = fileValue(value[key] ?? null);
  return copy;
}
