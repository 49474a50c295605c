import { createSharedEnds } from "../../client/attempt/shared-ends.ts";
import { createThrottle } from "../../client/attempt/throttle.ts";
import { runWorkers } from "../../client/run-workers.ts";
import { formatAmount, wireAmount } from "../../contract/amount.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import { RelayctlError, rescue, unsentError } from "../../errors.ts";
import type { Lease } from "../../journal/journal.ts";
import type { Payment, Payments } from "../payment.ts";
import { drawLedgerOffsets, ledgerFingerprint, ledgerOffset, type RunFingerprint, usedFingerprints } from "./ledger.ts";
import { openRowAttempt, type RowRequest, type RowRequests, type Rows, rowOutcome } from "./rows.ts";
import type { Pace, Payer, PayerId, PaymentWorld, StopReason } from "./running.ts";

export interface SendBounds {
  concurrency: number;
  /** After how many failures no further row is started. */
  stopAfter: number;
  /** Aborted by the first Ctrl-C: requests in progress are awaited. */
  interrupt: AbortSignal;
  /** Absent without a limit. */
  remaining?: (() => number) | undefined;
  /** Resolves when the rate allows a further row. A row that waited after its intent would be unknown after a kill. */
  turn?: () => unknown;
}

export type RowEnd =
  | { end: "sent"; transaction: Transaction }
  /** The service certainly did not accept it. */
  | { end: "refused"; error: RelayctlError }
  /** It is no longer needed, and nothing was sent. */
  | { end: "skipped"; error: RelayctlError }
  /** Nothing was sent, for a reason that says nothing about the row. */
  | { end: "unsent"; error: RelayctlError }
  | { end: "unknown"; error: RelayctlError };

/**
 * Sends rows, several at a time, each once. A failure of one row doesn't stop the others, unless its reason applies to all
 * of them: then no further row is started.
 * @param send sends a request after its intent is on the disk, and rejects with a RelayctlError whose `applied` is certain
 * @param ended called with what became of each request
 * @returns why it stopped; undefined after the last row
 */
export async function sendRows(
  requests: RowRequests,
  { concurrency, stopAfter, interrupt, remaining, turn }: SendBounds,
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
    if (failures >= stopAfter && started < requests.length) stop ??= { stopped: "failures" };
  };

  async function work(): Promise<void> {
    while (started < requests.length && !isOver()) {
      const { value: request, done } = unstarted.next();
      if (done) return;
      await turn?.();
      if (isOver()) return;
      started++;
      const end = await awaitEnd(send(request));
      note(end);
      ended(request, end);
    }
  }

  await runWorkers(Math.min(concurrency, requests.length), work, () => (started = requests.length));
  return stop;
}

async function awaitEnd(sending: Promise<Transaction>): Promise<RowEnd> {
  const sent = sending.then((transaction): RowEnd => ({ end: "sent", transaction }));
  return await rescue(sent, (error): RowEnd => {
    if (error.applied !== "no") return { end: "unknown", error };
    if (error.failure === "unmet") return { end: "skipped", error };
    return { end: ENDS_ALL.includes(error.failure) ? "unsent" : "refused", error };
  });
}

/**
 * Failures that every other row would have, too: a refused token; a paused or disabled relayer, the only conflicts of a
 * transaction (promises 4.3); a rate limit that outlasts the deadline; a journal that can't be written; read-only mode;
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

/** How long the fingerprint of a row that was or may have been sent is not reused. Longer than any delay of a request. */
const REMEMBERED = 24 * 3_600_000;
const MOST_DRAWS = 100;
/** The golden ratio: its multiples are spread evenly, so that a further draw differs even without chance. */
const SPREAD = 0.618_033_988_749_895;

/** Returns the requests of rows, with gas limits that no recent request has: two equal records belong to no row. */
export async function drawPaymentRequests(
  { journal, clock, random }: Pick<PaymentWorld, "journal" | "clock" | "random">,
  payerId: PayerId,
  { payments, gas, rows }: { payments: Payments; gas: readonly number[]; rows: number },
): Promise<RowRequests> {
  const taken = await usedFingerprints(journal, payerId, clock.now() - REMEMBERED);
  for (let draw = 0; draw < MOST_DRAWS; draw++) {
    const offsets = drawLedgerOffsets(rows, (random.fraction() + draw * SPREAD) % 1);
    const requests: RowRequests = {
      length: payments.length,
      *[Symbol.iterator]() {
        let index = 0;
        for (const payment of payments)
          yield paymentRequest(payment, (gas[index++] ?? 0) + ledgerOffset(offsets, payment.row));
      },
    };
    if (!isAnyTaken(requests, taken)) return requests;
  }
  throw unsentError("conflict", "too many equal payments since yesterday: no gas limit is left to distinguish rows");
}

function isAnyTaken(requests: RowRequests, taken: ReadonlySet<RunFingerprint>): boolean {
  if (taken.size === 0) return false;
  for (const { body } of requests) if (taken.has(ledgerFingerprint(body) as RunFingerprint)) return true;
  return false;
}

/** The service parses an amount of any size from digits (facts 5.3). */
export function paymentRequest({ row, to, value, data, request }: Payment, gasLimit: number): RowRequest {
  const body = { ...request, to, value: String(value), ...(data !== undefined && { data }), gas_limit: gasLimit };
  return { row, body };
}

export async function sendPaymentRequests(
  world: PaymentWorld,
  requests: RowRequests,
  { lease, payer, pace, rows }: { lease: Lease; payer: Payer; pace: Pace; rows: Rows },
): Promise<StopReason | undefined> {
  const { coin, relayer } = payer;
  const { concurrency, interval, stopAfter } = pace;
  const { clock, interrupt, count, remaining } = world;
  const client = world.inBulk({ throttle: createThrottle(clock, interval), ends: createSharedEnds(clock) });
  const counts = { doing: "paying", of: requests.length, done: 0, failed: 0, sum: "", since: clock.elapsed() };
  let sum = 0n;

  const send = async ({ row, body }: RowRequest) => {
    await world.beforeRow?.(row);
    const beforeSending = () => refuseIfLost(lease);
    return (await client.tx.send(relayer.id, body, { payment: { row }, beforeSending })).data;
  };

  const ended = ({ row, body }: RowRequest, end: RowEnd) => {
    if (end.end === "sent") {
      // V8 keeps a whole response for its slice with the ID.
      rows.sent(row, Buffer.from(end.transaction.id).toString());
      counts.done++;
      sum += wireAmount(body.value) ?? 0n;
      counts.sum = formatAmount(sum, coin);
      return;
    }
    if (end.end === "refused" || end.end === "unknown") counts.failed++;
    if (end.end === "refused" || end.end === "skipped") rows.refused(row, end.error.message);
    else if (end.end === "unknown") rows.open(openRowAttempt(row, end.error.message));
  };

  if (requests.length > 1) count(counts);
  try {
    const throttle = createThrottle(clock, interval);
    const turn = () => interval > 0 && throttle.turn(interrupt, () => remaining?.() ?? Number.POSITIVE_INFINITY);
    return await sendRows(requests, { concurrency, stopAfter, interrupt, remaining, turn }, send, (request, end) => {
      ended(request, end);
      if (end.end !== "unsent") world.noted?.(rowOutcome(rows, request.row));
    });
  } finally {
    count(undefined);
    await world.recorded();
  }
}

/** The next holder of the lease reads the journal, and doesn't touch what this process may have sent so far. */
function refuseIfLost(lease: Lease): void {
  if (lease.isHeld()) return;
  const words = "another process has taken over this run, or its journal was removed or cannot be read";
  throw new RelayctlError("conflict", words, { because: ["the row was not sent"] });
}
