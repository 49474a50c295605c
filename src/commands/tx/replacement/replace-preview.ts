import type { Fees } from "../../../chain/replacement/fees.ts";
import { type Currency, WEI } from "../../../contract/currency.ts";
import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import { PRICES, type Transaction } from "../../../contract/transaction/transaction.ts";
import { aligned } from "../../../terminal/width.ts";
import { bodyRows, labelOf, ROWS, shownField } from "../body/body-rows.ts";
import { leastText } from "./prediction-words.ts";

/** Fields that are lost unless specified again: the service copies nothing from the earlier version (facts 5.4). */
const LOST_UNLESS_NAMED = ["to", "data"];

/**
 * Returns old and new values, one line per field, for the prompt before a replacement. Addresses are shown in full.
 * @param coin of the network
 * @param least the least price at which it will be broadcast, if that is known
 */
export function replacementPreview(
  body: JsonObject,
  before: Transaction | undefined,
  coin: Currency,
  least?: Fees,
): string[] {
  if (!before) return aligned(bodyRows(body, coin));
  const fee = feeRow(body, before, least);
  const keys = ROWS.filter((key) => key in body || (LOST_UNLESS_NAMED.includes(key) && before[key]));
  const rows = keys.map((key) => {
    const shown = (fields: JsonObject) => shownField(key, fields[key], coin);
    return [labelOf(key), shown(before), key in body ? nextText(shown(before), shown(body)) : "removed: not copied"];
  });
  return aligned([["", "now", "after"], ...rows, ...fee]);
}

function nextText(now: string, next: string): string {
  return next === now || (/^0x/.test(next) && next.toLowerCase() === now.toLowerCase()) ? "same" : next;
}

/** Returns the price if none is specified: the service raises the old one (facts 5.4). */
function feeRow(body: JsonObject, before: Transaction, least: Fees | undefined): string[][] {
  const { gas_price, max_fee_per_gas: fee, max_priority_fee_per_gas: tip } = before;
  if (body.value === undefined || PRICES.some((price) => price in body) || (gas_price ?? fee ?? null) === null)
    return [];
  const old = gas_price ?? null;
  const now = old === null ? `${priceText(fee)}, tip ${priceText(tip)}` : priceText(old);
  return [["  fee", now, least ? leastText(least) : "set by the service, at least 10 % more except on rollups"]];
}

function priceText(price: JsonValue | undefined): string {
  return shownField("gas_price", price, WEI);
}
