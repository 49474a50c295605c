import type { Standing } from "../../chain/follow/followed.ts";
import type { RelayctlError } from "../../errors.ts";
import type { Lease } from "../../journal/journal.ts";
import type { RowOutcome } from "../outcome.ts";
import type { PaymentWorld } from "./payment-world.ts";
import type { Payer, PayerId, RunPlan } from "./plan.ts";
import type { Rows } from "./rows.ts";
import type { StopReason } from "./send-rows.ts";

export interface Running {
  world: PaymentWorld;
  lease: Lease;
  payerId: PayerId;
  payer: Payer;
  plan: RunPlan;
  /** What continues the run, for hints. */
  resumeLine: string;
}

export interface Paid {
  /** Undefined if nothing of it was ever begun. */
  run: string | undefined;
  rows: Rows;
  stop: StopReason | undefined;
  /** Set if the journal does not have the run any more: it would be paid from the start. */
  isLost?: boolean;
}

export interface Ended {
  outcomes: readonly RowOutcome[];
  /** How following the rows ended, by row; empty if nothing was awaited. */
  ends: ReadonlyMap<number, Standing["end"]>;
  /** Why the wait was cut off. */
  cutOff: RelayctlError | undefined;
}
