import { type BaseUnit, convertedAmount, formatAmount, wireAmount } from "../../contract/amount.ts";
import { isJsonObject, type JsonObject, type JsonValue, writeJson } from "../../contract/json.ts";
import { PRICES } from "../../contract/transaction.ts";
import { aligned } from "../../terminal/aligned.ts";
import { visible } from "../../terminal/escape.ts";

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
const AMOUNTS = ["value", ...PRICES];

/** One line a member, for a question. Addresses stand in full. */
export function bodyLines(body: JsonObject, before: readonly (readonly string[])[] = []): string[] {
  const rows = ROWS.filter((key) => key in body).flatMap((key) => rowsOf(key, body[key]));
  return aligned([...before, ...rows]);
}

/** A list has a row for each item. */
function rowsOf(key: string, value: JsonValue | undefined): string[][] {
  if (!Array.isArray(value)) return [[labelOf(key), convertedMember(key, value) ?? shownMember(key, value)]];
  return value.map((item, index) => [index === 0 ? labelOf(key) : "", itemText(item)]);
}

/** A payment in the currency of the network with its unit, everything else as it is sent. */
export function itemText(item: JsonValue): string {
  const { type, amount, asset, destination } = isJsonObject(item) ? item : {};
  const stroops = type === "payment" && isJsonObject(asset) && asset.type === "native" ? wireAmount(amount) : undefined;
  if (stroops === undefined || typeof destination !== "string") return visible(writeJson(item));
  return `pay ${formatAmount(stroops, "stroop")} to ${visible(destination)}`;
}

export function labelOf(key: string): string {
  return `  ${key.replaceAll("_", " ")}`;
}

/** The unit of a member that is an amount. */
function unitOf(key: string): BaseUnit | undefined {
  if (key === "max_fee") return "stroop";
  return AMOUNTS.includes(key) ? "wei" : undefined;
}

/** An amount as it would be typed and as it is sent; nothing where one of them tells it all, or of another member. */
export function convertedMember(key: string, value: JsonValue | undefined): string | undefined {
  const [unit, amount] = [unitOf(key), wireAmount(value)];
  return unit && amount !== undefined ? convertedAmount(amount, unit) : undefined;
}

/** Escaped already here, so that the columns stay where they are. */
export function shownMember(key: string, value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "–";
  const [unit, amount] = [unitOf(key), wireAmount(value)];
  if (unit && amount !== undefined) return formatAmount(amount, unit);
  return visible(typeof value === "string" ? value : writeJson(value));
}
