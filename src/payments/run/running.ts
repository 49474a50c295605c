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
import type { Message } from "../../message.ts";
import type { SendFate } from "../../recovery/lost-send.ts";
import type { RowOutcome } from "../outcome.ts";
import type { Payment } from "../payment.ts";
import type { AskedPayments, Payer, PayerId, RunPlan, Spelling } from "./plan.ts";
import type { Rows } from "./rows.ts";

export interface ReadingWorld {
  clock: Clock;
  /** Aborted when nothing further may start; requests in progress are awaited. */
  interrupt: AbortSignal;
  client: Client;
  /** Reads the relayer's balance; undefined, with a note, if it can't be read. */
  balance(): Promise<bigint | undefined>;
  say(line: Message): Promise<void>;
  /** Shows the progress; undefined once it has ended. */
  count(counts: BulkCounts | undefined): void;
  /** Returns a command for the same service, for hints. */
  commandFor(...words: readonly string[]): string;
}

export interface PaymentWorld extends ReadingWorld {
  random: Pick<Random, "fraction">;
  journal: Journal;
  /** Another journal of the user, which knows of runs that must not be paid again, and notes this run. */
  usualJournal?: Journal | undefined;
  /** Fails if a journal lost lines: a payment in one would be sent again. @throws RelayctlError io */
  requireComplete(journal: Journal): Promise<void>;
  spelling: Spelling;
  /** Returns a command about the journal, for hints. */
  historyCommand(...words: readonly string[]): string;
  /** Absent without a limit. */
  remaining?: () => number;
  /** Returns a client for many concurrent payments, which records each before it is sent. */
  inBulk(bounds: { throttle: Throttle; ends: AttemptEnds }): Client;
  /** Returns a client for an optional read: sent once, with a limit in milliseconds. */
  briefly(limit: number): Client;
  /** Returns the user's node of a network, which replaces the relayer's. */
  ownNode(network: string | undefined): Promise<ChainNode | undefined>;
  /** For decoding the error of a payment that reverted. */
  abis?: AbiSource;
  /** Called before each payment is recorded. @throws RelayctlError unmet for a payment that is no longer needed */
  beforeRow?(row: number): Promise<void>;
  /** @throws RelayctlError declined without the consent to payments */
  agree(asked: AskedPayments): Promise<void>;
  /** Returns the ID of the run that begins or is resumed, which its payments have. @throws RelayctlError io */
  begin(payments: RecordedPayments, resumed: string | undefined): Promise<string>;
  noted?(outcome: RowOutcome): void;
  /** Resolves once the outcomes of all ended payments are recorded. */
  recorded(): Promise<void>;
  /** Returns the journal's outcome of an intent whose transaction was found, or can't exist. */
  foundOutcome(finding: SendFate, of: Pick<WriteOutcome, "id" | "run" | "time">): WriteOutcome;
}

export type EarlierRunsWorld = Pick<PaymentWorld, "journal" | "usualJournal" | "historyCommand" | "spelling">;

export interface Running {
  world: PaymentWorld;
  lease: Lease;
  payerId: PayerId;
  payer: Payer;
  plan: RunPlan;
  /** The command that continues the run, for hints. */
  resumeLine: string;
}

export type StopReason =
  | { stopped: "interrupted" | "failures" | "deadline" }
  | { stopped: "error"; error: RelayctlError };

export interface Paid {
  /** Undefined if it never began. */
  run: string | undefined;
  rows: Rows;
  stop: StopReason | undefined;
  /** Set if the journal no longer has the run: it would be paid from the start. */
  isLost?: boolean;
}

export interface Awaited {
  payment: Payment;
  transactionId: string;
}

export interface Ended {
  outcomes: readonly RowOutcome[];
  /** By row; empty if nothing was awaited. */
  ends: ReadonlyMap<number, Standing["end"]>;
  cutOff: RelayctlError | undefined;
  /** Returns what the user calls a row (default: its number). */
  nameOf?: (row: number) => string;
}
