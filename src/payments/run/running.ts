import type { Goal, Standing } from "../../chain/follow/followed.ts";
import type { ChainNode } from "../../chain/node/node.ts";
import type { AbiSource } from "../../chain/simulation/revert-reason.ts";
import type { Throttle } from "../../client/attempt/throttle.ts";
import type { BulkCounts } from "../../client/bulk/run-all.ts";
import type { Client } from "../../client/client.ts";
import type { AttemptEnds } from "../../client/client-context.ts";
import type { Clock, Random } from "../../client/clock.ts";
import type { Currency } from "../../contract/amount.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import type { Problem, RelayctlError } from "../../errors.ts";
import type { Journal, Lease, RecordedPayments, WriteOutcome } from "../../journal/journal.ts";
import type { Message } from "../../message.ts";
import type { SendFate } from "../../recovery/lost-send.ts";
import type { RowOutcome } from "../outcome.ts";
import type { Payment, PaymentFile, Payments } from "../payment.ts";
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
  /** Reads the payer once. @throws RelayctlError if it cannot be read, or cannot pay */
  payer(): Promise<Payer>;
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
  /** The symbol of the coin, if the run began earlier. */
  symbol?: string | undefined;
  /** Set if the journal no longer has the run: it would be paid from the start. */
  isLost?: boolean;
}

export interface Awaited {
  payment: Payment;
  transactionId: string;
}

export interface Ended {
  outcomes: readonly RowOutcome[];
  ends: ReadonlyMap<number, Standing["end"]>;
  cutOff: RelayctlError | undefined;
  /** Returns what the user calls a row (default: its number). */
  nameOf?: (row: number) => string;
}

export interface Spelling {
  again: string;
  resume: string;
  run: string;
  assumeNotSent: string;
  state: string;
  speed: string;
  allowDuplicates: string;
  /** The text about unknown rows (default: how a run is resumed). */
  whenUnknown?: readonly string[];
}

export const AS_FLAGS: Spelling = {
  again: "--again",
  resume: "--resume",
  run: "--run",
  assumeNotSent: "--assume-not-sent",
  state: "--state",
  speed: "--speed",
  allowDuplicates: "--allow-duplicates",
};

export const AS_MEMBERS: Spelling = {
  again: "again: true",
  resume: "resume: true",
  run: "run",
  assumeNotSent: "assumeNotSent",
  state: "state",
  speed: "speed",
  allowDuplicates: "allowDuplicates: true",
};

export const USUAL_FAILURES = 10;

export interface Pace {
  concurrency: number;
  /** The minimum milliseconds between two requests. */
  interval: number;
  /** After how many failures no further payment is started. */
  stopAfter: number;
}

export interface Start {
  resume: boolean;
  again: boolean;
  run: string | undefined;
  assumed: readonly number[];
}

export function runStartProblems({ resume, again, run, assumed }: Start, spelling: Spelling): Problem[] {
  const problems: Problem[] = [];
  if (again && resume) problems.push({ where: spelling.again, rule: `cannot be combined with ${spelling.resume}` });
  if (run !== undefined && !resume)
    problems.push({ where: spelling.run, rule: `has no effect without ${spelling.resume}` });
  if (run === "") problems.push({ where: spelling.run, rule: "is empty" });
  if (assumed.length > 0 && !resume)
    problems.push({ where: spelling.assumeNotSent, rule: `requires ${spelling.resume}` });
  return problems;
}

export interface RunPlan {
  relayerId: string;
  file: PaymentFile;
  /** The absolute path of the file; empty without a file. */
  path: string;
  pace: Pace;
  start: Start;
  /** Undefined to not wait. */
  wait: { goal: Goal; usesChain: boolean } | undefined;
}

export interface Payer {
  relayer: Relayer;
  coin: Currency;
}

/** The payer: a journal can contain payments of other services and relayers. */
export interface PayerId {
  server: string;
  relayerId: string;
}

export type Due = ReturnType<typeof duePayments>;

export interface AskedPayments extends Due {
  payer: Payer;
  /** Of each payment, before the offset that distinguishes it. */
  gas: readonly number[];
  balance: bigint | undefined;
  /** The rows that may have been sent, and are sent again. */
  assumed: readonly Payment[];
}

export function duePayments(file: PaymentFile, payments: Payments) {
  let sum = 0n;
  for (const { value } of payments) sum += value;
  return { file, payments, sum };
}
