import type { Goal } from "../../chain/follow/followed.ts";
import type { Currency } from "../../contract/amount.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import type { Problem } from "../../errors.ts";
import type { Payment, PaymentFile, Payments } from "../payment.ts";

/** How messages refer to options: as flags, or as members of an object. */
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

export function startProblems({ resume, again, run, assumed }: Start, spelling: Spelling): Problem[] {
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

export type Due = ReturnType<typeof dueOf>;

export interface AskedPayments extends Due {
  payer: Payer;
  /** Of each payment, before the offset that distinguishes it. */
  gas: readonly number[];
  balance: bigint | undefined;
  /** The rows that may have been sent, and are sent again. */
  assumed: readonly Payment[];
}

export function dueOf(file: PaymentFile, payments: Payments) {
  let sum = 0n;
  for (const { value } of payments) sum += value;
  return { file, payments, sum };
}
