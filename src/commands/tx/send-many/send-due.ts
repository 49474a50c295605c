import { operations } from "../../../contract/operations.ts";
import { RelayctlError } from "../../../errors.ts";
import { contentOf } from "../../../payments/file/content.ts";
import type { Payment } from "../../../payments/payment.ts";
import { mostOffset } from "../../../payments/run/fingerprint.ts";
import type { Rows } from "../../../payments/run/rows.ts";
import type { StopReason } from "../../../payments/run/send-rows.ts";
import { SEARCH_WAITS } from "../../../timing.ts";
import { consentToPay } from "./consent.ts";
import { gasOf, gasOrReasons } from "./gas.ts";
import { recordAssumption, rowsOf } from "./ledger.ts";
import { type Due, exceededBy, payerLines, refuseUnpayable } from "./payer.ts";
import type { Paid, Running } from "./running.ts";
import { searchUnsettled } from "./search.ts";
import { drawRequests, sendRequests } from "./send.ts";
import type { TypedRun } from "./typed-run.ts";

/** What the journal calls the beginning of a run, which sends nothing. */
const BEGIN = { ...operations["tx.send"], id: "tx.send-many" };

/** What is left to be paid of a run. */
interface Left {
  rows: Rows;
  /** The rows that were not sent. */
  open: readonly number[];
  /** The rows whose outcome is unknown, and that a user wants to be sent again. */
  assumed: readonly Payment[];
  /** The run that is continued; undefined for a new one. */
  resumed: string | undefined;
}

/**
 * Asks for consent, records that the run begins, and sends what is left of it; then looks for the rows whose responses
 * were lost.
 */
export async function sendDue(running: Running, left: Left): Promise<Paid> {
  const { call, session, journal, payerId, payer, typed } = running;
  const { resumed, rows } = left;
  const wanted = new Set([...left.open, ...left.assumed.map(({ row }) => row)]);
  const open = typed.file.payments.filter(({ row }) => wanted.has(row));
  if (open.length === 0) return { run: resumed, rows, stop: undefined, due: 0 };
  const balance = await refuseUnpayable(call, session, payer, dueOf(typed, open));
  const count = typed.file.payments.length;
  const { payments, gas } = await withGas(running, open, left);
  if (payments.length === 0) return { run: resumed, rows, stop: undefined, due: 0 };
  const due = dueOf(typed, payments);
  const assumed = left.assumed.filter((payment) => payments.includes(payment));
  const exceeded = await exceededBy(call, session, payer, due);
  const lines = await payerLines(session, payer, due, { gas, balance });
  const { relayerId, file, path } = typed;
  const asked = { relayerId, payments, sum: due.sum, total: file.total, coin: payer.coin, exceeded, assumed };
  await consentToPay(call, session, asked, lines);
  const run = await session.beginPayments(
    { operation: BEGIN, parameters: { relayer_id: relayerId } },
    { file: path, sha256: file.sha256, rows: count, total: String(file.total), content: contentOf(file.payments) },
    resumed,
  );
  await assumeNotSent(running, { run, rows, assumed });
  const requests = await drawRequests(call, journal, payerId, { payments, gas, rows: count });
  const stop = await sendRequests(call, session, requests, {
    ...{ lease: running.lease, payer, payments, pace: typed.pace, rows },
  });
  return { run, rows: await settled(running, { run, rows, stop }), stop, due: payments.length };
}

function dueOf({ file }: TypedRun, payments: readonly Payment[]): Due {
  return { file, payments, sum: payments.reduce((sum, { value }) => sum + value, 0n) };
}

/**
 * Returns the payments that can be sent, with their gas. A new run has to be valid as a whole; one that was begun continues
 * without a row whose call would revert by now.
 * @throws RelayctlError usage
 */
async function withGas(
  { call, session, payer, typed }: Running,
  open: readonly Payment[],
  { resumed, rows }: Left,
): Promise<{ payments: readonly Payment[]; gas: readonly bigint[] }> {
  const { file, pace } = typed;
  const rules = {
    client: session.client,
    relayer: payer.relayer,
    concurrency: pace.concurrency,
    mostOffset: mostOffset(file.payments.length),
    file: file.name,
  };
  if (resumed === undefined) return { payments: open, gas: await gasOf(call, open, rules) };
  const payments: Payment[] = [];
  const gas: bigint[] = [];
  for (const [index, limit] of (await gasOrReasons(call, open, rules)).entries()) {
    const payment = open[index];
    if (!payment) continue;
    if (typeof limit === "string") rows.refused(payment.row, limit);
    else {
      payments.push(payment);
      gas.push(limit);
    }
  }
  return { payments, gas };
}

/** Records each attempt that counts as not sent, before its row is sent again. */
async function assumeNotSent(
  { journal, call }: Running,
  { run, rows, assumed }: { run: string; rows: Rows; assumed: readonly Payment[] },
): Promise<void> {
  const again = new Set(assumed.map(({ row }) => row));
  for (const attempt of rows.unsettled()) {
    if (!again.has(attempt.row) || attempt.outcome !== "open") continue;
    await recordAssumption(journal, attempt, run, new Date(call.app.clock.now()).toISOString());
  }
  for (const row of again) rows.assumeNotSent(row);
}

/** Looks for the rows whose responses were lost, for some seconds: a request can arrive late. */
async function settled(
  { call, session, journal, payerId, typed }: Running,
  { run, rows, stop }: { run: string; rows: Rows; stop: StopReason | undefined },
): Promise<Rows> {
  if (rows.inState("unknown").length === 0) return rows;
  const known = await readAgain();
  const { clock, interrupt } = call.app;
  for (const wait of SEARCH_WAITS) {
    if (stop?.stopped === "interrupted" || known.inState("unknown").length === 0) break;
    await clock.sleep(wait, interrupt);
    if (interrupt.aborted) break;
    await searchUnsettled({ call, client: session.client, journal, payerId, run, rows: known });
  }
  return known;

  /** Only the journal knows the fingerprints; the rows know what it could not record. */
  async function readAgain(): Promise<Rows> {
    try {
      const read = await rowsOf(journal, run, typed.file.payments.length);
      for (const row of rows.inState("sent")) read.sent(row, String(rows.get(row).transactionId));
      for (const row of rows.inState("refused")) read.refused(row, String(rows.get(row).why));
      return read;
    } catch (error) {
      if (!(error instanceof RelayctlError)) throw error;
      await call.say(`warning: the journal cannot be read: ${error.message}`);
      return rows;
    }
  }
}
