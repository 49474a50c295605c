import { formatAmount, withPoint } from "../../contract/amount.ts";
import { COIN_DECIMALS, currencyOf } from "../../contract/currency.ts";
import type { JsonObject } from "../../contract/json.ts";
import { cell, lines } from "../../terminal/cells.ts";
import type { ResourceView, TableColumn } from "../../terminal/view.ts";

/** What the transactions of one relayer cost, for scripts. Amounts are strings of digits. */
export interface CostItem extends JsonObject {
  relayer_id: string;
  network: string | null;
  /** The symbol of the network's coin; null if it is unknown. */
  coin: string | null;
  /** The unit of `fees` and `value`. */
  unit: "wei";
  transactions: number;
  fees: string;
  value: string;
  fees_in_coin: string;
  value_in_coin: string;
  /** The transactions that are not counted, since they are in progress or could not be read. */
  pending: number;
  missing: number;
  /** What was sent since midnight UTC, and in the last hour. */
  fees_today: string;
  value_today: string;
  fees_last_hour: string;
  value_last_hour: string;
}

export interface Spent {
  sent: number;
  transactions: number;
  fees: bigint;
  value: bigint;
}

export interface RelayerCosts {
  relayerId: string;
  network: string | undefined;
  symbol: string | undefined;
  total: Spent;
  today: Spent;
  lastHour: Spent;
  pending: number;
  missing: number;
}

export function costItem({ relayerId, network, symbol, total, today, lastHour, ...counts }: RelayerCosts): CostItem {
  const inCoin = (amount: bigint) => withPoint(amount, COIN_DECIMALS.wei);
  const { pending, missing } = counts;
  const { transactions, fees, value } = total;
  return {
    relayer_id: relayerId,
    network: network ?? null,
    coin: symbol ?? null,
    unit: "wei",
    transactions,
    fees: String(fees),
    value: String(value),
    fees_in_coin: inCoin(fees),
    value_in_coin: inCoin(value),
    pending,
    missing,
    ...{ fees_today: String(today.fees), value_today: String(today.value) },
    ...{ fees_last_hour: String(lastHour.fees), value_last_hour: String(lastHour.value) },
  };
}

const FIELDS = [
  "relayer_id",
  "network",
  "coin",
  "unit",
  "transactions",
  "fees",
  "value",
  "fees_in_coin",
  "value_in_coin",
  "pending",
  "missing",
  "fees_today",
  "value_today",
  "fees_last_hour",
  "value_last_hour",
];

function amountColumn(field: `${"fees" | "value"}${"" | "_today" | "_last_hour"}`): TableColumn<CostItem> {
  return {
    header: field.replaceAll("_", " "),
    cell: (item) => ({ text: formatAmount(BigInt(item[field]), currencyOf("evm", item.coin ?? undefined)) }),
    reads: [field, "coin"],
    align: "right",
  };
}

function countColumn(header: "transactions" | "pending" | "missing"): TableColumn<CostItem> {
  return { header, cell: (item) => cell(item[header]), reads: [header], align: "right" };
}

export const costView: ResourceView<CostItem> = {
  one: "relayer's costs",
  many: "relayers' costs",
  id: "relayer_id",
  table: [
    { header: "relayer", cell: ({ relayer_id }) => cell(relayer_id), reads: ["relayer_id"], whole: true },
    countColumn("transactions"),
    amountColumn("fees"),
    amountColumn("value"),
    amountColumn("fees_today"),
    amountColumn("value_today"),
    amountColumn("fees_last_hour"),
    amountColumn("value_last_hour"),
    countColumn("pending"),
    countColumn("missing"),
    { header: "network", cell: ({ network }) => cell(network), reads: ["network"] },
  ],
  flat: FIELDS,
  fields: FIELDS,
  block: (item) => FIELDS.flatMap((field) => lines(field.replaceAll("_", " "), [cell(item[field])])),
};
