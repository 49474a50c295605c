import { AmountError, coinProblem, readAmount } from "../../contract/amount.ts";
import { copyObject, isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { type AmountField, fieldCurrency, type PolicyField, type PolicyFields } from "../../contract/policy.ts";
import type { FileItem } from "./file-item.ts";

/** Returns policies whose amounts are integers in the smallest unit; a text may have a unit: `80gwei`, `0.1xlm`. */
export function policyAmounts(item: FileItem, policies: JsonObject, fields: PolicyFields, at = "policies"): JsonObject {
  const read = copyObject({});
  for (const [name, value] of Object.entries(policies)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    read[name] = field ? memberAmounts(item, value, field, `${at}.${name}`) : value;
  }
  return read;
}

function memberAmounts(item: FileItem, value: JsonValue, field: PolicyField, path: string): JsonValue {
  if (field.type === "amount") return amountOf(item, value, field, path);
  if (field.type === "object" && isJsonObject(value)) return policyAmounts(item, value, field.fields, path);
  const entry = field.type === "list" ? field.entry : undefined;
  if (!entry || !Array.isArray(value)) return value;
  return value.map((one, index) =>
    isJsonObject(one) ? policyAmounts(item, one, entry.fields, `${path}.${index}`) : one,
  );
}

function amountOf(item: FileItem, value: JsonValue, field: AmountField, path: string): JsonValue {
  if (typeof value === "string" && !item.isSettled(path)) return typedAmount(item, value, field, path);
  return value;
}

function typedAmount(item: FileItem, text: string, field: AmountField, path: string): JsonValue {
  try {
    const currency = fieldCurrency(field);
    const { amount, coin } = readAmount(text, currency);
    const problem = coin === undefined ? undefined : wrongCoin(text, coin, currency);
    if (problem !== undefined) throw new AmountError(problem);
    return amount > Number.MAX_SAFE_INTEGER ? amount : Number(amount);
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    item.problem(
      path,
      item.isFromElsewhere(path) ? "must be an amount with the unit of this network" : error.message,
      text,
    );
  }
  return text;
}

/** All EVM coins have the same decimals, but an amount in another coin than the network's is a mistake. */
function wrongCoin(text: string, coin: string, currency: ReturnType<typeof fieldCurrency>): string | undefined {
  if (currency.symbol !== undefined) return coinProblem(text, coin, currency);
  return `is in ${coin.toUpperCase()}, but the coin of this network is not known; write the amount in gwei or wei`;
}
