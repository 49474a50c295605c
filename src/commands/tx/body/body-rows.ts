import { convertedAmount, formatAmount, wireAmount } from "../../../contract/amount.ts";
import { type Currency, currencyOf, STROOPS } from "../../../contract/currency.ts";
import { type JsonObject, type JsonValue, writeJson } from "../../../contract/json.ts";
import { PRICES } from "../../../contract/transaction/transaction.ts";
import { visible } from "../../../terminal/escape.ts";
import type { NamedCoin } from "../../coins/named-coins.ts";
import { itemWords } from "./item-words.ts";

/** The fields of a body in the order of display: receiver, amount, content, price. */
export const ROWS = [
  "to",
  "value",
  "data",
  "gas_limit",
  "speed",
  "gas_price",
  "max_fee_per_gas",
  "max_priority_fee_per_gas",
  "network",
  "source_account",
  "transaction",
  "instructions",
  "transaction_xdr",
  "operations",
  "memo",
  "fee_bump",
  "max_fee",
  "signed_auth_entry",
  "valid_until",
];

/**
 * Returns one row per field, for a prompt. Addresses are shown in full.
 * @param coin of the network
 */
export function bodyRows(body: JsonObject, coin: Currency): string[][] {
  return ROWS.filter((key) => key in body).flatMap((key) => rowsOf(key, body[key], coin));
}

/** Returns a row, or one row per item of a list. */
function rowsOf(key: string, value: JsonValue | undefined, coin: Currency): string[][] {
  if (!Array.isArray(value)) return [[labelOf(key), convertedField(key, value, coin) ?? shownField(key, value, coin)]];
  return value.map((item, index) => [index === 0 ? labelOf(key) : "", itemText(item)]);
}

/** Formats a well-known operation or instruction in words, and anything else as sent. */
export function itemText(item: JsonValue): string {
  return itemWords(item) ?? visible(writeJson(item));
}

export function labelOf(key: string): string {
  return `  ${key.replaceAll("_", " ")}`;
}

/** Returns the currency of a field that is an amount. */
export function currencyAt(key: string, coin: Currency): Currency | undefined {
  if (key === "value") return coin;
  if (key === "max_fee") return STROOPS;
  return PRICES.includes(key) ? { ...coin, perGas: true } : undefined;
}

/** Returns an amount as typed and as sent; undefined if the two are the same, or the field is not an amount. */
export function convertedField(key: string, value: JsonValue | undefined, coin: Currency): string | undefined {
  const [currency, amount] = [currencyAt(key, coin), wireAmount(value)];
  return currency && amount !== undefined ? convertedAmount(amount, currency) : undefined;
}

/** Returns the same before the network is known: as far as a coin was typed. */
export function convertedTyped(coins: readonly NamedCoin[]): (key: string, value: JsonValue) => string | undefined {
  const coin = currencyOf("evm", coins.find(({ flag }) => flag === "--value")?.coin.toUpperCase());
  return (key, value) => convertedField(key, value, coin);
}

/** Formats a field, escaped already, so that the columns stay aligned. */
export function shownField(key: string, value: JsonValue | undefined, coin: Currency): string {
  if (value === undefined || value === null) return "–";
  const [currency, amount] = [currencyAt(key, coin), wireAmount(value)];
  if (currency && amount !== undefined) return formatAmount(amount, currency);
  return visible(typeof value === "string" ? value : writeJson(value));
}
