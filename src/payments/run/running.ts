import type { Standing } from "../../chain/follow/followed.ts";
import type { ChainNode } from "../../chain/node/node.ts";
import type { AbiSource } from "../../chain/simulation/revert-reason.ts";
import type { Throttle } from "../../client/attempt/throttle.ts";
import type { BulkCounts } from "../../client/bulk/verbs.ts";
import type { Client } from "../../client/client.ts";
import type { AttemptEnds } from "../../client/client-context.ts";
import type { Clock, Random } from "../../client/clock.ts";
import type { RelayctlError } from "../../errors.ts";
import type { Journal, Lease, RecordedPayments, WriteOutcome } from "../../journal/journal.ts";
import type { Finding } from "../../recovery/lost-send.ts";
import type { RowOutcome } from "../outcome.ts";
import type { AskedPayments, Payer, PayerId, RunPlan, Spelling } from "./plan.ts";
import type { Rows } from "./rows.ts";

export interface ReadingWorld {
  clock: Clock;
  /** Aborted when nothing further is to be started; requests in progress are awaited. */
  interrupt: AbortSignal;
  client: Client;
  /** Reads the balance of the relayer; undefined if it cannot be read, which is noted. */
  balance(): Promise<bigint | undefined>;
  /** Notes something for the user, e.g. `warning: …`. */
  say(line: string): Promise<void>;
  /** Shows how far it has come; undefined once it has ended. */
  count(counts: BulkCounts | undefined): void;
  /** Returns a command for the same service, for hints. */
  commandFor(...words: readonly string[]): string;
}

export interface PaymentWorld extends ReadingWorld {
  random: Pick<Random, "fraction">;
  journal: Journal;
  /** Another journal of the user, which knows of runs that must not be paid again, and notes this one. */
  usualJournal?: Journal | undefined;
  /** Asks whether a journal lost lines: a payment in one would be sent again. @throws RelayctlError io */
  requireComplete(journal: Journal): Promise<void>;
  /** How options are written in messages. */
  spelling: Spelling;
  /** Returns a command about the journal, for hints. */
  historyCommand(...words: readonly string[]): string;
  /** Returns the milliseconds left for the whole run; absent without a limit. */
  remaining?: () => number;
  /** Returns a client for many payments at a time, which records each before it is sent. */
  inBulk(bounds: { throttle: Throttle; ends: AttemptEnds }): Client;
  /** Returns a client for an optional read: sent once, with a limit in milliseconds. */
  briefly(limit: number): Client;
  /** Returns the user's own node of a network, which is asked in place of the relayer's. */
  ownNode(network: string | undefined): Promise<ChainNode | undefined>;
  /** By which the error of a payment that reverted is decoded. */
  abis?: AbiSource;
  /** Called before each payment is recorded. @throws RelayctlError unmet for a payment that is not needed any more */
  beforeRow?(row: number): Promise<void>;
  /** Obtains the consent to payments. @throws RelayctlError declined */
  agree(asked: AskedPayments): Promise<void>;
  /**
   * Records that a run begins, or that the one with this ID is resumed, and returns its ID, which all later payments have.
   * @throws RelayctlError io if that cannot be recorded
   */
  begin(payments: RecordedPayments, resumed: string | undefined): Promise<string>;
  /** Called with what became of a row, each time that it changes. */
  noted?(outcome: RowOutcome): void;
  /** Resolves once the outcomes of all payments that ended are recorded. */
  recorded(): Promise<void>;
  /** Returns the outcome of an intent whose transaction was found, or cannot exist, as the journal keeps it. */
  foundOutcome(finding: Finding, of: Pick<WriteOutcome, "id" | "run" | "time">): WriteOutcome;
}

export type EarlierRunsWorld = Pick<PaymentWorld, "journal" | "usualJournal" | "historyCommand" | "spelling">;

export interface Running {
  world: PaymentWorld;
  lease: Lease;
  payerId: PayerId;
  payer: Payer;
  plan: RunPlan;
  /** What continues the run, for hints. */
  resumeLine: string;
}

export type StopReason =
  | { stopped: "interrupted" | "failures" | "deadline" }
  | { stopped: "error"; error: RelayctlError };

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
