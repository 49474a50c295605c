import { AmountError, type Bare, parseAmount, readAmount } from "../amount.ts";
import { JsonSyntaxError, type JsonValue, parseJson } from "../json.ts";
import { type AmountField, type ListField, type PolicyField, policyFieldCurrency } from "../policy.ts";
import type { Problems } from "../problems.ts";

/** Parses the value of `--policy key=value`. @param bare how to interpret a number without a unit */
export function policyValue(
  problems: Problems,
  key: string,
  text: string,
  field: PolicyField,
  bare: Bare = "line",
): JsonValue | undefined {
  const where = `--policy ${key}`;
  switch (field.type) {
    case "amount":
      return tryRead(problems, where, text, () => parseFieldAmount(text, field, bare));
    case "word":
      return text;
    case "flag":
      if (text === "true" || text === "false") return text === "true";
      problems.add(where, "true or false", text);
      return undefined;
    case "integer":
      if (/^[0-9]+$/.test(text)) return BigInt(text);
      problems.add(where, `a whole number from 0 to ${field.most}`, text);
      return undefined;
    case "decimal":
      // A negative number is validated with the body, in the words of its rule.
      if (/^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/.test(text)) return parseJson(text);
      problems.add(where, "a number of 0 or more, without an exponent", text);
      return undefined;
    case "list":
      return tryRead(problems, where, text, () => parseList(text, field, () => problems.add(where, EMPTY_ENTRY, text)));
    case "object":
    case "json":
      return tryRead(problems, where, text, () => parseJson(text));
  }
}

const EMPTY_ENTRY = "has an empty entry; needs words with commas between them, or a JSON list";

function parseList(text: string, { entry }: ListField, refuseEmpty: () => void): JsonValue {
  if (entry || isPolicyValueJson(text)) return parseJson(text);
  const words = text.split(",").map((word) => word.trim());
  if (words.includes("")) refuseEmpty();
  return words;
}

/** Returns whether the value of a list is JSON, not words with commas between them. */
export function isPolicyValueJson(text: string): boolean {
  return /^\s*[[{"]/.test(text);
}

function parseFieldAmount(text: string, field: AmountField, bare: Bare): bigint {
  const currency = policyFieldCurrency(field);
  return bare === "line" ? readAmount(text, currency, bare).amount : parseAmount(text, currency, bare);
}

function tryRead(problems: Problems, where: string, text: string, read: () => JsonValue): JsonValue | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof AmountError) problems.add(where, error.message, text);
    else if (error instanceof JsonSyntaxError) problems.add(where, `needs JSON: ${error.message}`, text);
    else throw error;
    return undefined;
  }
}
