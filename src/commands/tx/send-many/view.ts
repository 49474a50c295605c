import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import type { RowOutcome, RowState } from "../../../payments/outcome.ts";
import type { Payment } from "../../../payments/payment.ts";
import type { Cell, ResourceView, Tone } from "../../../terminal/view.ts";
import { column } from "../../cells.ts";

const FIELDS = [
  "row",
  "label",
  "to",
  "value",
  "state",
  "transaction_id",
  "hash",
  "block",
  "fee_paid",
  "verdict",
  "why",
] as const;

/** What became of one payment, as scripts get it. Amounts are digits in the smallest unit, and null is not known. */
type PaymentRow = Record<(typeof FIELDS)[number], JsonValue>;

const TONES: Readonly<Partial<Record<RowState, Tone>>> = {
  confirmed: "good",
  sent: "good",
  waiting: "faint",
  unknown: "bad",
  refused: "bad",
  failed: "bad",
  canceled: "warn",
};

/** The view of a run: one row for each payment, in the order of the file. */
export const paymentView: ResourceView = {
  one: "payment",
  many: "payments",
  id: "row",
  table: [
    { ...column("row", "row"), align: "right", worth: "always" },
    { ...column("label", "label"), worth: 1 },
    { ...column("to", "to"), worth: 1 },
    { ...column("value", "value"), align: "right", worth: 2 },
    { header: "state", cell: ({ state }) => stateCell(state), reads: ["state"], worth: "always" },
    { ...column("transaction", "transaction_id"), worth: 3 },
    column("hash", "hash"),
  ],
  flat: FIELDS,
  fields: FIELDS,
  block: () => [],
};

function stateCell(state: JsonValue | undefined): Cell {
  const word = String(state);
  return { text: word, tone: TONES[word as RowState] };
}

/** Returns the row of a payment. */
export function paymentRow({ row, label, to, value }: Payment, outcome: RowOutcome): JsonObject & PaymentRow {
  const { state, transactionId, hash, block, fee, verdict, why } = outcome;
  return {
    ...{ row, label: label ?? null, to, value: String(value), state },
    transaction_id: transactionId ?? null,
    hash: hash ?? null,
    block: block ?? null,
    fee_paid: fee === undefined ? null : String(fee),
    verdict: verdict ?? null,
    why: why ?? null,
  };
}
