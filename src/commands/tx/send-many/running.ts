import type { Standing } from "../../../chain/follow/followed.ts";
import type { Session } from "../../../command-support/session/session.ts";
import type { RelayctlError } from "../../../errors.ts";
import type { Journal, Lease } from "../../../journal/journal.ts";
import type { RowOutcome } from "../../../payments/outcome.ts";
import type { Rows } from "../../../payments/run/rows.ts";
import type { StopReason } from "../../../payments/run/send-rows.ts";
import type { Call } from "../../command.ts";
import type { PaymentFlags } from "./flags.ts";
import type { PayerId } from "./ledger.ts";
import type { Payer } from "./payer.ts";
import type { TypedRun } from "./typed-run.ts";

/** A run of payments under its lease. */
export interface Running {
  call: Call<PaymentFlags>;
  session: Session;
  journal: Journal;
  lease: Lease;
  payerId: PayerId;
  payer: Payer;
  typed: TypedRun;
  /** The command that continues the run. */
  resumeLine: string;
}

/** What is known of a run once its payments were sent. */
export interface Paid {
  /** Undefined if nothing of it was ever begun. */
  run: string | undefined;
  rows: Rows;
  stop: StopReason | undefined;
  /** The number of payments that this command was to send. */
  due: number;
}

/** What became of all rows, and of the wait for them. */
export interface Ended {
  outcomes: readonly RowOutcome[];
  /** How following the rows ended, by row; empty without `--wait`. */
  ends: ReadonlyMap<number, Standing["end"]>;
  /** Why the wait was cut off. */
  cutOff: RelayctlError | undefined;
}
