import type { NamedCoin } from "../../coins/named-coins.ts";
import {
  type Currency,
  convertedAmount,
  currencyOf,
  formatAmount,
  STROOPS,
  wireAmount,
  withPoint,
} from "../../contract/amount.ts";
import { base64Bytes } from "../../contract/encoding/base64.ts";
import { asText, isJsonObject, type JsonObject, type JsonValue, objectIn, writeJson } from "../../contract/json.ts";
import { solanaInstructionText } from "../../contract/transaction/solana-transaction.ts";
import { PRICES } from "../../contract/transaction/transaction.ts";
import { escapeText } from "../../terminal/escape.ts";

/** Every amount of Stellar, even of its other assets, has seven decimals. */
const STELLAR_DECIMALS = 7;

/** Returns complete words for an operation of Stellar, or an instruction of Solana; undefined for any other. */
export function bodyItemWords(item: JsonValue): string | undefined {
  if (!isJsonObject(item)) return undefined;
  const words = "program_id" in item ? solanaWords(item) : stellarWords(item);
  return words === undefined ? undefined : escapeText(words);
}

function stellarWords(item: JsonObject): string | undefined {
  const { type, ...rest } = item;
  if (type === "payment") return paymentWords(rest);
  if (type === "invoke_contract") return invokeWords(rest);
  return undefined;
}

function paymentWords({ destination, amount, asset, ...others }: JsonObject): string | undefined {
  const units = wireAmount(amount);
  const name = isJsonObject(asset) ? assetName(asset) : undefined;
  if (units === undefined || name === undefined || typeof destination !== "string" || isAny(others)) return undefined;
  const isNative = objectIn(asset).type === "native";
  return `pay ${isNative ? formatAmount(units, STROOPS) : `${withPoint(units, STELLAR_DECIMALS)} ${name}`} to ${destination}`;
}

function assetName({ type, code, issuer }: JsonObject): string | undefined {
  if (type === "native") return "XLM";
  return typeof code === "string" && typeof issuer === "string" ? `${code} (issued by ${issuer})` : undefined;
}

function invokeWords({ contract_address: contract, function_name: name, args, auth, ...others }: JsonObject) {
  const isPlain =
    (auth ?? null) === null || (isJsonObject(auth) && (auth.type === "none" || auth.type === "source_account"));
  if (typeof contract !== "string" || typeof name !== "string" || !Array.isArray(args)) return undefined;
  if (!isPlain || isAny(others)) return undefined;
  return `call ${name}(${args.map(argumentWords).join(", ")}) of ${contract}`;
}

/** A contract value has one field, its type: `u64 25`. */
function argumentWords(value: JsonValue): string {
  const [[type, held] = ["", null], ...more] = isJsonObject(value) ? Object.entries(value) : [];
  const isPlain = more.length === 0 && typeof held !== "object" && type !== "";
  return isPlain
    ? `${type} ${typeof held === "string" && type !== "string" ? held : writeJson(held)}`
    : writeJson(value);
}

function isAny(fields: JsonObject): boolean {
  return Object.values(fields).some((value) => value !== null && value !== undefined);
}

function solanaWords({ program_id: programId, accounts, data }: JsonObject): string | undefined {
  const bytes = typeof data === "string" ? base64Bytes(data) : undefined;
  if (typeof programId !== "string" || !bytes || !Array.isArray(accounts)) return undefined;
  const keys = accounts.map((account) => objectIn(account).pubkey);
  const isValid = (key: unknown): key is string => typeof key === "string";
  return keys.every(isValid) ? solanaInstructionText({ programId, accounts: keys, data: bytes }) : undefined;
}

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

export function bodyRows(body: JsonObject, coin: Currency): string[][] {
  return ROWS.filter((key) => key in body).flatMap((key) => valueRows(key, body[key], coin));
}

function valueRows(key: string, value: JsonValue | undefined, coin: Currency): string[][] {
  if (!Array.isArray(value)) return [[labelOf(key), shownBodyField(key, value, coin)]];
  return value.map((item, index) => [index === 0 ? labelOf(key) : "", bodyItemText(item)]);
}

/** Formats a well-known operation or instruction in words, and anything else as sent. */
export function bodyItemText(item: JsonValue): string {
  return bodyItemWords(item) ?? escapeText(writeJson(item));
}

export function labelOf(key: string): string {
  return key.replaceAll("_", " ");
}

export function bodyCurrencyAt(key: string, coin: Currency): Currency | undefined {
  if (key === "value") return coin;
  if (key === "max_fee") return STROOPS;
  return PRICES.includes(key) ? { ...coin, perGas: true } : undefined;
}

/** Returns how to show an amount as typed and as sent, before the network is known, by a typed coin. */
export function convertedBody(coins: readonly NamedCoin[]): (key: string, value: JsonValue) => string | undefined {
  const coin = currencyOf("evm", coins.find(({ flag }) => flag === "--value")?.coin.toUpperCase());
  return (key, value) => {
    const [currency, amount] = [bodyCurrencyAt(key, coin), wireAmount(value)];
    return currency && amount !== undefined ? convertedAmount(amount, currency) : undefined;
  };
}

/** Formats a field, escaped already, so that the columns stay aligned. */
export function shownBodyField(key: string, value: JsonValue | undefined, coin: Currency): string {
  if (value === undefined || value === null) return "–";
  const [currency, amount] = [bodyCurrencyAt(key, coin), wireAmount(value)];
  if (currency && amount !== undefined) return formatAmount(amount, currency);
  return escapeText(asText(value));
}
