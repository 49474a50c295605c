import { formatAmount, wireAmount } from "../../contract/amount.ts";
import { isJsonObject, type JsonValue } from "../../contract/json.ts";
import type { Transaction } from "../../contract/transaction.ts";
import { showAmount } from "../../terminal/amount-text.ts";
import type { BlockLine, Cell, ResourceView } from "../../terminal/view.ts";
import { cell, column, lines } from "../cells.ts";
import { briefStatusCell, statusCell } from "./outcome.ts";

const MEMBERS = [
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

/** How transactions are shown; one of any kind, with the lines that it has. */
export const transactionView: ResourceView<Transaction> = {
  one: "transaction",
  many: "transactions",
  table: [
    column("id", "id"),
    { header: "status", cell: briefStatusCell },
    column("nonce", "nonce"),
    column("to", "to"),
    { header: "value", cell: valueCell, align: "right" },
    { header: "hash", cell: hashCell },
  ],
  flat: MEMBERS.slice(0, MEMBERS.indexOf("signature") + 1),
  fields: MEMBERS,
  block,
};

function block(transaction: Transaction): BlockLine[] {
  const rows: [string, Cell | undefined][] = [
    ["id", cell(transaction.id)],
    ["relayer", given(transaction.relayer_id)],
    ["status", statusCell(transaction)],
    ["reason", given(transaction.status_reason)],
    ["hash", given(transaction.hash)],
    ["signature", given(transaction.signature)],
    ["nonce", given(transaction.nonce)],
    ["from", given(transaction.from)],
    ["to", given(transaction.to)],
    ["value", wei(transaction.value)],
    ["data", given(transaction.data)],
    ["gas limit", given(transaction.gas_limit)],
    ["gas price", wei(transaction.gas_price)],
    ["max fee", wei(transaction.max_fee_per_gas)],
    ["max tip", wei(transaction.max_priority_fee_per_gas)],
    ["speed", given(transaction.speed)],
    ["source account", given(transaction.source_account)],
    ["fee", stroops(transaction)],
    ["created", given(transaction.created_at)],
    ["sent", given(transaction.sent_at)],
    ["confirmed", given(transaction.confirmed_at)],
  ];
  return rows.flatMap(([label, value]) => (value ? lines(label, [value]) : []));
}

function valueCell({ value }: Transaction): Cell {
  const amount = wireAmount(value);
  return amount === undefined ? cell(value) : { text: formatAmount(amount, "wei") };
}

/** Solana's transactions have a signature in place of a hash. */
function hashCell({ hash, signature }: Transaction): Cell {
  return cell(hash ?? (typeof signature === "string" ? signature : undefined));
}

function given(value: JsonValue | undefined): Cell | undefined {
  return value === null || value === undefined || isJsonObject(value) ? undefined : cell(value);
}

function wei(value: JsonValue | undefined): Cell | undefined {
  return given(value) && { text: showAmount(value, "wei") };
}

function stroops({ fee, source_account }: Transaction): Cell | undefined {
  return source_account === undefined ? given(fee) : given(fee) && { text: showAmount(fee, "stroop") };
}
