import type { JsonObject, JsonValue } from "../../contract/json.ts";
import { paymentSums, ROW_STATES, type RowOutcome, type Sum } from "../outcome.ts";
import type { Payment, PaymentFile, Payments } from "../payment.ts";

/** In order; new columns are only appended. */
export const REPORT_COLUMNS = [
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
  "by_record",
] as const;

/** The outcome of a payment for scripts. Amounts are digits in the smallest unit, and null is unknown. */
export type PaymentRow = Record<(typeof REPORT_COLUMNS)[number], JsonValue>;

function paymentRow({ row, label, to, value }: Payment, outcome: RowOutcome): JsonObject & PaymentRow {
  const { state, transactionId, hash, block, fee, verdict, why, byRecord } = outcome;
  return {
    ...{ row, label: label ?? null, to, value: String(value), state },
    transaction_id: transactionId ?? null,
    hash: hash ?? null,
    block: block ?? null,
    fee_paid: fee === undefined ? null : String(fee),
    verdict: verdict ?? null,
    why: why ?? null,
    by_record: byRecord ?? null,
  };
}

export interface ReportedRun {
  run: string;
  relayer: string;
  network: string | null;
  /** The symbol of the network's coin, if known. */
  coin: string | null;
  file: PaymentFile;
}

/** Rows that are built together: many enough for few writes, and few enough for memory. */
const AT_ONCE = 500;

export function* paymentReportRows(
  payments: Payments,
  outcomeOf: (row: number) => RowOutcome,
): Generator<(JsonObject & PaymentRow)[], void, undefined> {
  let rows: (JsonObject & PaymentRow)[] = [];
  for (const payment of payments) {
    rows.push(paymentRow(payment, outcomeOf(payment.row)));
    if (rows.length < AT_ONCE) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

export function paymentReport({ file, ...run }: ReportedRun, outcomeOf: (row: number) => RowOutcome): JsonObject {
  const { total, states, byRecord, fees } = paymentSums(file.payments, outcomeOf);
  return {
    ...run,
    file: file.name,
    sha256: file.sha256,
    total: sumText(total),
    states: Object.fromEntries(ROW_STATES.map((state) => [state, sumText(states[state])])),
    by_record: sumText(byRecord),
    fees_paid: String(fees),
  };
}

function sumText({ payments, sum }: Sum): JsonObject {
  return { payments, sum: String(sum) };
}
