import type { JsonObject } from "../../contract/json.ts";
import { PRICES, type Transaction } from "../../contract/transaction.ts";
import { aligned } from "../../terminal/aligned.ts";
import { bodyLines, labelOf, ROWS, shownMember } from "./body-rows.ts";

/** What is gone when it is not named again: the service copies nothing from the earlier version (users.md, D1). */
const LOST_UNLESS_NAMED = ["to", "data"];

/** Old beside new, one line a member, for the question before a replacement. Addresses stand in full. */
export function replacementPreview(body: JsonObject, before: Transaction | undefined): string[] {
  if (!before) return bodyLines(body);
  const keys = ROWS.filter((key) => key in body || (LOST_UNLESS_NAMED.includes(key) && before[key]));
  const rows = keys.map((key) => [labelOf(key), shownMember(key, before[key]), after(key, body, before)]);
  return aligned([["", "now", "after"], ...rows, ...feeRow(body, before)]);
}

/** The price that nobody named: the service raises the old one (service-facts 5.4). */
function feeRow(body: JsonObject, before: Transaction): string[][] {
  const { gas_price, max_fee_per_gas: fee, max_priority_fee_per_gas: tip } = before;
  if (body.value === undefined || PRICES.some((price) => price in body) || (gas_price ?? fee ?? null) === null)
    return [];
  const old = gas_price ?? null;
  const now =
    old === null
      ? `${shownMember("gas_price", fee)}, tip ${shownMember("gas_price", tip)}`
      : shownMember("gas_price", old);
  return [["  fee", now, "set by the service, at least 10 % more except on rollups"]];
}

function after(key: string, body: JsonObject, before: Transaction): string {
  if (!(key in body)) return "gone: it is not copied";
  const next = shownMember(key, body[key]);
  const old = shownMember(key, before[key]);
  return next === old || (/^0x/.test(next) && next.toLowerCase() === old.toLowerCase()) ? "same" : next;
}
