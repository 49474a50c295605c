import { formatAmount, wireAmount } from "../../contract/amount.ts";
import { type JsonObject, type JsonValue, writeJson } from "../../contract/json.ts";
import type { Transaction } from "../../contract/transaction.ts";

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
const AMOUNTS = ["value", "gas_price", "max_fee_per_gas", "max_priority_fee_per_gas"];
/** What is gone when it is not named again: the service copies nothing from the earlier version (users.md, D1). */
const LOST_UNLESS_NAMED = ["to", "data"];

/** Old beside new, one line a member, for the question before a replacement. Addresses stand in full. */
export function replacementPreview(body: JsonObject, before: Transaction | undefined): string[] {
  const rows = ROWS.filter((key) => key in body || (before && LOST_UNLESS_NAMED.includes(key) && before[key])).map((key) => [
    `  ${key.replaceAll("_", " ")}`,
    before ? show(key, before[key]) : undefined,
    after(key, body, before),
  ]);
  const shown = rows.map((row) => row.filter((text) => text !== undefined));
  const head = before ? [["", "now", "after"]] : [];
  return aligned([...head, ...shown]);
}

function after(key: string, body: JsonObject, before: Transaction | undefined): string {
  if (!(key in body)) return "gone: it is not copied";
  const next = show(key, body[key]);
  return before && next === show(key, before[key]) ? "same" : next;
}

function show(key: string, value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "–";
  const amount = AMOUNTS.includes(key) ? wireAmount(value) : undefined;
  if (amount !== undefined) return formatAmount(amount, "wei");
  return typeof value === "string" ? value : writeJson(value);
}

function aligned(rows: readonly string[][]): string[] {
  const widths = rows.reduce<number[]>((widest, row) => row.map((text, index) => Math.max(widest[index] ?? 0, text.length)), []);
  return rows.map((row) => row.map((text, index) => text.padEnd(widths[index] ?? 0)).join("  ").trimEnd());
}
