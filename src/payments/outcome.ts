import type { Payments } from "./payment.ts";

/**
 * The state of a row.
 * - `waiting`: nothing was sent.
 * - `sent`: the service accepted it.
 * - `unknown`: its response was lost, and no record of it was found: it may or may not be sent.
 * - `refused`: the service certainly did not accept it.
 * - `confirmed`, `failed`, `canceled`: its end on the chain.
 */
export const ROW_STATES = ["waiting", "sent", "unknown", "refused", "confirmed", "failed", "canceled"] as const;
export type RowState = (typeof ROW_STATES)[number];

export interface RowOutcome {
  row: number;
  state: RowState;
  transactionId?: string;
  /** Of the mined transaction, or of the newest version. */
  hash?: string;
  block?: number;
  /** In the smallest unit. */
  fee?: bigint;
  /** The word of `tx get` about record and chain. */
  verdict?: string;
  /** Whether only the service says so, since the chain could not be asked; absent without a verdict. */
  byRecord?: boolean;
  why?: string;
}

/** Amounts are in the smallest unit. */
export interface Sum {
  payments: number;
  sum: bigint;
}

/** The total is the sum of all states. */
export interface Sums {
  total: Sum;
  states: Readonly<Record<RowState, Sum>>;
  /** Payments whose end only the service shows, in any state. */
  byRecord: Sum;
  /** All known fees, including reverted transactions. */
  fees: bigint;
}

export function paymentSums(payments: Payments, outcomeOf: (row: number) => RowOutcome): Sums {
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
