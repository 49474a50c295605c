/**
 * What became of a row.
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
  /** The hash of the transaction that the chain holds, or of the newest version. */
  hash?: string;
  block?: number;
  /** The paid fee in the smallest unit. */
  fee?: bigint;
  /** The verdict of `tx get` about record and chain, in a word. */
  verdict?: string;
  /** Whether only the service says so, since the chain could not be asked; absent without a verdict. */
  byRecord?: boolean;
  /** Why it is in this state, in words. */
  why?: string;
}
