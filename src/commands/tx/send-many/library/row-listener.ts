import type { RowOutcome } from "../../../../payments/outcome.ts";
import type { Payment, PaymentFile } from "../../../../payments/payment.ts";
import type { PaidRow, SendManyOptions } from "./options.ts";

/** Calls `onRow`. What it throws must not end a run in the middle of a payment. */
export interface RowListener {
  noted(outcome: RowOutcome): void;
  /** Aborted once it has thrown; absent without one. */
  stopped: AbortSignal | undefined;
  /** Throws what it threw first. */
  rethrow(): void;
}

export function createRowListener({ payments }: PaymentFile, { onRow }: SendManyOptions): RowListener {
  const known = onRow ? [...payments] : [];
  const stop = new AbortController();
  const thrown: unknown[] = [];
  let isOver = false;
  const fail = (error: unknown) => {
    // The run has ended and cannot reject any more: Node reports the error.
    if (isOver) throw error;
    thrown.push(error);
    stop.abort();
  };
  return {
    noted(outcome) {
      const payment = known[outcome.row - 1];
      try {
        if (!payment || thrown.length > 0) return;
        const called: unknown = onRow?.(paidRow(payment, outcome));
        if (called instanceof Promise) void called.catch(fail);
      } catch (error) {
        fail(error);
      }
    },
    stopped: onRow && stop.signal,
    rethrow() {
      isOver = true;
      if (thrown.length > 0) throw thrown[0];
    },
  };
}

export function paidRow({ label, to, value }: Payment, outcome: RowOutcome): PaidRow {
  return { ...outcome, ...(label !== undefined && { label }), to, value };
}
