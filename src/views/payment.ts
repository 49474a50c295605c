import { type Currency, WEI } from "../contract/currency.ts";
import type { JsonObject } from "../contract/json.ts";
import type { RowState } from "../payments/outcome.ts";
import { REPORT_COLUMNS } from "../payments/report/report.ts";
import { column } from "../terminal/cells.ts";
import type { Cell, ResourceView, Tone } from "../terminal/view.ts";
import { valueCell } from "./transaction/record.ts";

const TONES: Readonly<Partial<Record<RowState, Tone>>> = {
  confirmed: "good",
  sent: "good",
  waiting: "faint",
  unknown: "bad",
  refused: "bad",
  failed: "bad",
  canceled: "warn",
};

/** Returns the view of a run: one row for each payment, in the order of the file, with values in a coin. */
export function paymentViewIn(coin: Currency): ResourceView {
  return {
    one: "payment",
    many: "payments",
    id: "row",
    table: [
      { ...column("row", "row"), align: "right", worth: "always" },
      { ...column("label", "label"), worth: 1 },
      { ...column("to", "to"), worth: 1 },
      { header: "value", cell: ({ value }) => valueCell(value, coin), reads: ["value"], align: "right", worth: 2 },
      { header: "state", cell: stateCell, reads: ["state", "by_record"], worth: "always" },
      { ...column("transaction", "transaction_id"), worth: 3 },
      column("hash", "hash"),
    ],
    flat: REPORT_COLUMNS,
    fields: REPORT_COLUMNS,
    block: () => [],
  };
}

export const paymentView = paymentViewIn(WEI);

function stateCell({ state, by_record: byRecord }: JsonObject): Cell {
  const word = String(state);
  return byRecord === true ? { text: `${word} (by the record)` } : { text: word, tone: TONES[word as RowState] };
}
