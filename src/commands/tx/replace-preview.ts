import { formatAmount, wireAmount } from "../../contract/amount.ts";
import { type JsonObject, type JsonValue, writeJson } from "../../contract/json.ts";
import type { Transaction } from "../../contract/transaction.ts";
import { aligned } from "../../terminal/aligned.ts";
import { visible } from "../../terminal/escape.ts";

/** What a replacement changes, in the order of a reader's questions: where to, how much, what, at which price. */
const ROWS = [
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
  "transaction_xdr",
  "operations",
  "memo",
  "fee_bump",
  "max_fee",
  "valid_until",
];
const PRICES = ["gas_price", "max_fee_per_gas", "max_priority_fee_per_gas"];
const AMOUNTS = ["value", ...PRICES];
/** What is gone when it is not named again: the service copies nothing from the earlier version (users.md, D1). */
const LOST_UNLESS_NAMED = ["to", "data"];

/** Old beside new, one line a member, for the question before a replacement. Addresses stand in full. */
export function replacementPreview(body: JsonObject, before: Transaction | undefined): string[] {
  const keys = ROWS.filter((key) => key in body || (LOST_UNLESS_NAMED.includes(key) && before?.[key]));
  if (!before) return aligned(keys.map((key) => [label(key), show(key, body[key])]));
  const rows = keys.map((key) => [label(key), show(key, before[key]), after(key, body, before)]);
  return aligned([["", "now", "after"], ...rows, ...feeRow(body, before)]);
}

/** The price that nobody named: the service raises the old one (service-facts 5.4). */
function feeRow(body: JsonObject, before: Transaction): string[][] {
  const { gas_price, max_fee_per_gas: fee, max_priority_fee_per_gas: tip } = before;
  if (body.value === undefined || PRICES.some((price) => price in body) || (gas_price ?? fee ?? null) === null)
    return [];
  const old = gas_price ?? null;
  const now = old === null ? `${show("gas_price", fee)}, tip ${show("gas_price", tip)}` : show("gas_price", old);
  return [["  fee", now, "set by the service, at least 10 % more"]];
}

function label(key: string): string {
  return `  ${key.replaceAll("_", " ")}`;
}

function after(key: string, body: JsonObject, before: Transaction): string {
  if (!(key in body)) return "gone: it is not copied";
  const next = show(key, body[key]);
  const old = show(key, before[key]);
  return next === old || (/^0x/.test(next) && next.toLowerCase() === old.toLowerCase()) ? "same" : next;
}

/** Escaped already here, so that the columns stay where they are. */
function show(key: string, value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "–";
  const amount = AMOUNTS.includes(key) ? wireAmount(value) : undefined;
  if (amount !== undefined) return formatAmount(amount, "wei");
  return visible(typeof value === "string" ? value : writeJson(value));
}
