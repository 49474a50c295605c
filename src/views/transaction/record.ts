import { secondsSince } from "../../contract/age-text.ts";
import { type Currency, currencyOf, formatAmount, GAS_PRICE, STROOPS, wireAmount } from "../../contract/amount.ts";
import { isJsonObject, type JsonValue } from "../../contract/json.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import {
  type BlockLine,
  type Cell,
  type ResourceView,
  toCell,
  toColumn,
  viewLines,
  viewTimeCell,
} from "../../terminal/view.ts";
import { showAmount } from "../policy-field.ts";
import { briefOutcomeCell, outcomeStatusCell } from "./outcome.ts";

const FIELDS = [
  "id",
  "relayer_id",
  "status",
  "status_reason",
  "hash",
  "nonce",
  "from",
  "to",
  "value",
  "data",
  "gas_limit",
  "gas_price",
  "max_fee_per_gas",
  "max_priority_fee_per_gas",
  "speed",
  "created_at",
  "sent_at",
  "confirmed_at",
  "is_canceled",
  "signature",
  "source_account",
  "fee",
  "sequence_number",
  "transaction",
  "instructions",
  "transaction_result_xdr",
];

const DERIVED: ResourceView<Transaction>["derived"] & object = {
  age: { value: ({ created_at }, now) => secondsSince(created_at, now), reads: ["created_at"], isAge: true },
};

/** @param statusNow returns the status for the block, if more is known than the record shows */
export function transactionViewIn(
  symbolNow: (transaction: Transaction) => string | undefined,
  statusNow: (transaction: Transaction) => Cell = outcomeStatusCell,
): ResourceView<Transaction> {
  const coinFor = (transaction: Transaction) => currencyOf("evm", symbolNow(transaction));
  return {
    one: "transaction",
    many: "transactions",
    table: [
      toColumn("id", "id"),
      { header: "status", cell: briefOutcomeCell, worth: "always" },
      { ...toColumn("nonce", "nonce"), worth: 3 },
      { header: "age", cell: ({ created_at }) => viewTimeCell(created_at), align: "right", worth: 4 },
      { ...toColumn("to", "to"), worth: 1 },
      { header: "value", cell: (item) => recordValueCell(item.value, coinFor(item)), align: "right", worth: 2 },
      { header: "hash", cell: hashCell, whole: true },
    ],
    flat: FIELDS.slice(0, FIELDS.indexOf("signature") + 1),
    fields: [...FIELDS, ...Object.keys(DERIVED)],
    derived: DERIVED,
    block: (transaction) => recordBlock(transaction, coinFor(transaction), statusNow(transaction)),
  };
}

export const transactionView = transactionViewIn(() => undefined);

function recordBlock(transaction: Transaction, coin: Currency, status: Cell): BlockLine[] {
  const rows: [string, Cell | undefined][] = [
    ["id", toCell(transaction.id)],
    ["relayer", givenCell(transaction.relayer_id)],
    ["status", status],
    ["reason", givenCell(transaction.status_reason)],
    ["hash", givenCell(transaction.hash)],
    ["signature", givenCell(transaction.signature)],
    ["nonce", givenCell(transaction.nonce)],
    ["from", givenCell(transaction.from)],
    ["to", givenCell(transaction.to)],
    ["value", amountCell(transaction.value, coin)],
    ["data", givenCell(transaction.data)],
    ["gas limit", givenCell(transaction.gas_limit)],
    ["gas price", amountCell(transaction.gas_price, GAS_PRICE)],
    ["max fee", amountCell(transaction.max_fee_per_gas, GAS_PRICE)],
    ["max tip", amountCell(transaction.max_priority_fee_per_gas, GAS_PRICE)],
    ["speed", givenCell(transaction.speed)],
    ["source account", givenCell(transaction.source_account)],
    ["fee", stroopsCell(transaction)],
    ["created", givenCell(transaction.created_at) && viewTimeCell(transaction.created_at)],
    ["sent", givenCell(transaction.sent_at) && viewTimeCell(transaction.sent_at)],
    ["confirmed", givenCell(transaction.confirmed_at) && viewTimeCell(transaction.confirmed_at)],
  ];
  return rows.flatMap(([label, value]) => (value ? viewLines(label, [value]) : []));
}

/** Returns an amount in its largest unit; other values are unchanged. */
export function recordValueCell(value: JsonValue | undefined, currency: Currency): Cell {
  const amount = wireAmount(value);
  return amount === undefined ? toCell(value) : { text: formatAmount(amount, currency) };
}

function hashCell({ hash, signature }: Transaction): Cell {
  return toCell(hash ?? (typeof signature === "string" ? signature : undefined));
}

function givenCell(value: JsonValue | undefined): Cell | undefined {
  return value === null || value === undefined || isJsonObject(value) ? undefined : toCell(value);
}

function amountCell(value: JsonValue | undefined, currency: Currency): Cell | undefined {
  return givenCell(value) && { text: showAmount(value, currency) };
}

function stroopsCell({ fee, source_account }: Transaction): Cell | undefined {
  return source_account === undefined ? givenCell(fee) : givenCell(fee) && { text: showAmount(fee, STROOPS) };
}
