import { convertedAmount, formatAmount, wireAmount } from "../../../contract/amount.ts";
import { type Currency, currencyOf, STROOPS } from "../../../contract/currency.ts";
import { isJsonObject, type JsonObject, type JsonValue, writeJson } from "../../../contract/json.ts";
import { PRICES } from "../../../contract/transaction/transaction.ts";
import { visible } from "../../../terminal/escape.ts";
import type { NamedCoin } from "../../coins/named-coins.ts";

/** The members of a body in the order of a reader's questions: where to, how much, what, at which price. */
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
 * One row a member, for a question. Addresses stand in full.
 * @param symbol of the coin of the relayer's network, where that is known
 */
export function bodyRows(body: JsonObject, symbol: string | undefined): string[][] {
  return ROWS.filter((key) => key in body).flatMap((key) => rowsOf(key, body[key], symbol));
}

/** A list has a row for each item. */
function rowsOf(key: string, value: JsonValue | undefined, symbol: string | undefined): string[][] {
  if (!Array.isArray(value))
    return [[labelOf(key), convertedField(key, value, symbol) ?? shownField(key, value, symbol)]];
  return value.map((item, index) => [index === 0 ? labelOf(key) : "", itemText(item)]);
}

/** A payment in the currency of the network with its unit, everything else as it is sent. */
export function itemText(item: JsonValue): string {
  const { type, amount, asset, destination } = isJsonObject(item) ? item : {};
  const stroops = type === "payment" && isJsonObject(asset) && asset.type === "native" ? wireAmount(amount) : undefined;
  if (stroops === undefined || typeof destination !== "string") return visible(writeJson(item));
  return `pay ${formatAmount(stroops, STROOPS)} to ${visible(destination)}`;
}

export function labelOf(key: string): string {
  return `  ${key.replaceAll("_", " ")}`;
}

/** What a member that is an amount is counted in. */
export function currencyAt(key: string, coin: Currency): Currency | undefined {
  if (key === "value") return coin;
  if (key === "max_fee") return STROOPS;
  return PRICES.includes(key) ? { ...coin, perGas: true } : undefined;
}

/** An amount as it would be typed and as it is sent; nothing where one of them tells it all, or of another member. */
export function convertedField(
  key: string,
  value: JsonValue | undefined,
  symbol: string | undefined,
): string | undefined {
  const [currency, amount] = [currencyAt(key, currencyOf("evm", symbol)), wireAmount(value)];
  return currency && amount !== undefined ? convertedAmount(amount, currency) : undefined;
}

/** The same where the network is not known yet: as far as the coin was typed. */
export function convertedTyped(coins: readonly NamedCoin[]): (key: string, value: JsonValue) => string | undefined {
  const symbol = coins.find(({ flag }) => flag === "--value")?.coin.toUpperCase();
  return (key, value) => convertedField(key, value, symbol);
}

/** Escaped already here, so that the columns stay where they are. */
export function shownField(key: string, value: JsonValue | undefined, symbol: string | undefined): string {
  if (value === undefined || value === null) return "–";
  const [currency, amount] = [currencyAt(key, currencyOf("evm", symbol)), wireAmount(value)];
  if (currency && amount !== undefined) return formatAmount(amount, currency);
  return visible(typeof value === "string" ? value : writeJson(value));
}
