import { runWorkers } from "../../client/run-workers.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import { RelayctlError } from "../../errors.ts";
import type { RowRequest, RowRequests } from "./attempt.ts";

export interface SendBounds {
  concurrency: number;
  /** The number of failures after which no further row is started. */
  stopAfter: number;
  /** Aborted by the first Ctrl-C: requests in progress are awaited. */
  interrupt: AbortSignal;
  /** Returns the milliseconds left for the command; absent if there is no limit. */
  remaining?: (() => number) | undefined;
}

export type RowEnd =
  | { end: "sent"; transaction: Transaction }
  /** The service certainly did not accept it. */
  | { end: "refused"; error: RelayctlError }
  /** It is not needed any more, and nothing was sent. */
  | { end: "skipped"; error: RelayctlError }
  /** Nothing was sent, for a reason that says nothing about the row. */
  | { end: "unsent"; error: RelayctlError }
  /** It is unknown whether it was applied. */
  | { end: "unknown"; error: RelayctlError };

export type StopReason =
  | { stopped: "interrupted" | "failures" | "deadline" }
  | { stopped: "error"; error: RelayctlError };

/**
 * Sends rows, several at a time, each once. A failure of one row leaves the others alone, unless its reason applies to all
 * of them: then no further row is started.
 * @param send sends a request after its intent is on the disk, and rejects with a RelayctlError whose `applied` is certain
 * @param ended called with what became of each request
 * @returns why it stopped; undefined after the last row
 */
export async function sendRows(
  requests: RowRequests,
  { concurrency, stopAfter, interrupt, remaining }: SendBounds,
  send: (request: RowRequest) => Promise<Transaction>,
  ended: (request: RowRequest, end: RowEnd) => void,
): Promise<StopReason | undefined> {
  const unstarted = requests[Symbol.iterator]();
  let started = 0;
  let failures = 0;
  let stop: StopReason | undefined;

  const isOver = () => {
    if (interrupt.aborted) stop ??= { stopped: "interrupted" };
    else if (remaining && remaining() <= 0) stop ??= { stopped: "deadline" };
    return stop !== undefined;
  };

  const note = (end: RowEnd) => {
    if (end.end === "refused" || end.end === "unknown") failures++;
    if (end.end === "unsent" && end.error.failure !== "interrupted") stop ??= { stopped: "error", error: end.error };
    if (failures >= stopAfter) stop ??= { stopped: "failures" };
  };

  async function work(): Promise<void> {
    while (started < requests.length && !isOver()) {
      started++;
      const { value: request, done } = unstarted.next();
      if (done) return;
      const end = await readEnd(send(request));
      note(end);
      ended(request, end);
    }
  }

  await runWorkers(Math.min(concurrency, requests.length), work, () => (started = requests.length));
  return stop;
}

async function readEnd(sending: Promise<Transaction>): Promise<RowEnd> {
  try {
    return { end: "sent", transaction: await sending };
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    if (error.applied !== "no") return { end: "unknown", error };
    if (error.failure === "unmet") return { end: "skipped", error };
    return { end: ENDS_ALL.includes(error.failure) ? "unsent" : "refused", error };
  }
}

/**
 * Would meet every other row too: a refused token; a relayer that is paused or disabled, the only conflicts of a
 * transaction (promises 4.3); a rate limit that outlasts the deadline; a journal that cannot be written; read-only mode;
 * an interrupt.
 */
const ENDS_ALL: readonly string[] = [
  "auth",
  "conflict",
  "not_found",
  "rate_limited",
  "io",
  "declined",
  "interrupted",
  "terminated",
  "hung_up",
];
