import { ROW_STATES, type RowOutcome, type RowState } from "../outcome.ts";
import type { Payments } from "../payment.ts";

/** How many payments are in a state, and what they sum up to in the smallest unit. */
export interface Sum {
  payments: number;
  sum: bigint;
}

/** The sums of a run. The total is the sum of all states. */
export interface Sums {
  total: Sum;
  states: Readonly<Record<RowState, Sum>>;
  /** The payments of which only the service says how they ended, in any state. */
  byRecord: Sum;
  /** Every known fee together, of reverted transactions too. */
  fees: bigint;
}

export function sumsOf(payments: Payments, outcomeOf: (row: number) => RowOutcome): Sums {
  const states = Object.fromEntries(ROW_STATES.map((state) => [state, { payments: 0, sum: 0n }])) as Record<
    RowState,
    Sum
  >;
  const [total, byRecord]: [Sum, Sum] = [
    { payments: 0, sum: 0n },
    { payments: 0, sum: 0n },
  ];
  let fees = 0n;
  for (const { row, value } of payments) {
    const { state, fee = 0n, byRecord: isByRecord } = outcomeOf(row);
    fees += fee;
    for (const each of [total, states[state], ...(isByRecord ? [byRecord] : [])]) {
      each.payments++;
      each.sum += value;
    }
  }
  return { total, states, byRecord, fees };
}
