import { type Examined, examinedFee } from "../../chain/examine.ts";
import { COIN_DECIMALS, currencyOf, formatAmount, wireAmount, withPoint } from "../../contract/amount.ts";
import { isJsonInteger, type JsonObject } from "../../contract/json.ts";
import type { WriteOutcome } from "../../journal/journal.ts";
import {
  type ResourceView,
  type TableColumn,
  toColumn,
  viewNumberColumn,
  viewPlainFields,
} from "../../terminal/view.ts";

export interface SpentFees {
  sent: number;
  transactions: number;
  fees: bigint;
  value: bigint;
}

export interface RelayerCosts {
  relayerId: string;
  network: string | undefined;
  symbol: string | undefined;
  total: SpentFees;
  today: SpentFees;
  lastHour: SpentFees;
  pending: number;
  missing: number;
}

/** A relayer's costs for scripts. Amounts are strings of digits. */
export type CostItem = ReturnType<typeof costItem>;

export function costItem({ relayerId, network, symbol, total, today, lastHour, pending, missing }: RelayerCosts) {
  const inCoin = (amount: bigint) => withPoint(amount, COIN_DECIMALS.wei);
  const { transactions, fees, value } = total;
  return {
    relayer_id: relayerId,
    network: network ?? null,
    /** The symbol of the network's coin; null if it is unknown. */
    coin: symbol ?? null,
    /** The unit of `fees` and `value`. */
    unit: "wei",
    transactions,
    fees: String(fees),
    value: String(value),
    fees_in_coin: inCoin(fees),
    value_in_coin: inCoin(value),
    /** The transactions that are not counted, since they are in progress or could not be read. */
    pending,
    missing,
    /** The value and fees sent since midnight UTC, and in the last hour. */
    ...{ fees_today: String(today.fees), value_today: String(today.value) },
    ...{ fees_last_hour: String(lastHour.fees), value_last_hour: String(lastHour.value) },
  };
}

const NONE: SpentFees = { sent: 0, transactions: 0, fees: 0n, value: 0n };
const NOTHING = { relayerId: "", network: undefined, symbol: undefined, pending: 0, missing: 0 };
const FIELDS = Object.keys(costItem({ ...NOTHING, total: NONE, today: NONE, lastHour: NONE }));

function amountColumn(field: `${"fees" | "value"}${"" | "_today" | "_last_hour"}`): TableColumn<CostItem> {
  return {
    header: field.replaceAll("_", " "),
    cell: (item) => ({ text: formatAmount(BigInt(item[field]), currencyOf("evm", item.coin ?? undefined)) }),
    reads: [field, "coin"],
    align: "right",
  };
}

export const costView: ResourceView<CostItem> = {
  one: "relayer's costs",
  many: "relayers' costs",
  id: "relayer_id",
  table: [
    { ...toColumn("relayer", "relayer_id"), whole: true },
    viewNumberColumn("transactions"),
    amountColumn("fees"),
    amountColumn("value"),
    amountColumn("fees_today"),
    amountColumn("value_today"),
    amountColumn("fees_last_hour"),
    amountColumn("value_last_hour"),
    viewNumberColumn("pending"),
    viewNumberColumn("missing"),
    toColumn("network", "network"),
  ],
  ...viewPlainFields(FIELDS),
};

/** In the coin's smallest unit. */
export interface PaidFee {
  fee: bigint;
  /** The moved amount: 0 if it failed, reverted, was canceled, or went to the relayer itself. */
  value: bigint;
  /** Absent if nothing was mined. */
  hash?: string;
  block?: bigint;
}

/** A transaction's cost; or that it is open; or why it is unknown. */
export type Cost = PaidFee | { open: string } | { missing: string; isFault: boolean };

/** Returns the cost by the chain for the sending account. The mined version counts, whatever the record shows. */
export function historyCost({ verdict, facts, fault }: Examined, account: string | undefined): Cost {
  const { seen, why, isPresumed } = verdict;
  const mayBeOfOthers = isPresumed && verdict.verdict !== "confirmed";
  if (fault) return { missing: `the chain could not be checked: ${fault.words}`, isFault: true };
  const paid = (value: bigint): Cost => {
    if (seen?.block === undefined) return { fee: 0n, value: 0n };
    const fee = examinedFee(verdict, facts);
    if (fee === undefined) return { missing: `the receipt of ${seen.hash} could not be read`, isFault: true };
    return { fee, value, hash: seen.hash, block: seen.block };
  };
  switch (verdict.verdict) {
    case "confirmed":
    case "earlier_version":
    case "cancel_too_late":
      if (!seen || mayBeOfOthers) return { missing: why, isFault: false };
      return paid(seen.to === account ? 0n : seen.value);
    case "reverted":
    case "canceled":
    case "expired":
    case "failed":
      return paid(0n);
    case "pending":
    case "never_broadcast":
      return { open: why };
    case "foreign":
    case "gone":
      return { missing: why, isFault: false };
  }
}

export function recordedHistoryCost({ after = {} }: WriteOutcome): PaidFee | undefined {
  const [fee, value] = [wireAmount(after.fee_paid), wireAmount(after.value_paid)];
  if (fee === undefined || value === undefined) return undefined;
  const { hash, block } = after;
  const mined = typeof hash === "string" && isJsonInteger(block) ? { hash, block: BigInt(block) } : {};
  return { fee, value, ...mined };
}

export function historyCostMembers({ fee, value, hash, block }: PaidFee): JsonObject {
  const mined = { ...(hash !== undefined && { hash }), ...(block !== undefined && { block }) };
  return { fee_paid: String(fee), value_paid: String(value), ...mined };
}
