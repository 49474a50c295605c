import type { Standing } from "../../../chain/follow/followed.ts";
import { commandLine } from "../../../command-support/shell-words.ts";
import { formatAmount } from "../../../contract/amount.ts";
import { grouped } from "../../../contract/decimal.ts";
import { RelayctlError } from "../../../errors.ts";
import type { RowOutcome, RowState } from "../../../payments/outcome.ts";
import { paymentRow } from "../../../payments/report/report.ts";
import type { Rows } from "../../../payments/run/rows.ts";
import type { ListView, Page } from "../../../terminal/view.ts";
import { resultOf } from "../wait/result.ts";
import { failureOfRun } from "./failure.ts";
import type { Ended, Paid, Running } from "./running.ts";
import { paymentViewIn } from "./view.ts";

/** Waits for the payments if that was typed, and returns the view of all rows. */
export async function endedView(running: Running, paid: Paid): Promise<ListView> {
  const { session, typed, payer } = running;
  const ended = await endedRows(running, paid.rows);
  const { payments } = typed.file;
  const items = () => payments.map((payment, index) => paymentRow(payment, outcomeAt(ended.outcomes, index)));
  const failure = (await reportFailure(running, paid, ended)) ?? failureOfRun(running, paid, ended);
  const accepted = payments.filter((_, index) => isPaid(outcomeAt(ended.outcomes, index).state));
  const sum = accepted.reduce((total, { value }) => total + value, 0n);
  const counts = `${grouped(accepted.length)} of ${grouped(payments.length)} payments`;
  const line = `accepted in ${session.name}: ${counts}, ${formatAmount(sum, payer.coin)}`;
  const { run } = paid;
  return {
    kind: "list",
    resource: paymentViewIn(payer.coin),
    pages: inPages(items),
    where: session.name,
    flags: session.flags,
    inOrder: true,
    async ending() {
      const receipt = run === undefined ? [] : [line, `run ${run}`];
      const next =
        run === undefined || failure ? [] : [`follow: ${commandLine(...session.flags, "history", "show", run)}`];
      return { ...(accepted.length > 0 ? { receipt, next } : { notes: receipt }), ...(failure && { failure }) };
    },
  };

  function outcomeAt(outcomes: readonly RowOutcome[], index: number): RowOutcome {
    return outcomes[index] ?? { row: index + 1, state: "waiting" };
  }

  async function* inPages(rows: () => Page["items"]): AsyncGenerator<Page> {
    const all = rows();
    yield { items: all, total: all.length, body: new Uint8Array() };
  }
}

/** Writes the report. Returns the error if it cannot be written, which says what became of the payments too. */
async function reportFailure(
  running: Running,
  paid: Paid,
  { outcomes, ends, cutOff }: Ended,
): Promise<RelayctlError | undefined> {
  const { call, typed, payer } = running;
  const { relayerId, file, report } = typed;
  if (report === undefined) return undefined;
  const { network } = payer.relayer;
  const { writeReport } = await import("./write-report.ts");
  try {
    const run = { run: paid.run ?? "", relayer: relayerId, network: typeof network === "string" ? network : null };
    const shown = { ...run, coin: payer.coin.symbol ?? null, file };
    await writeReport(call.app, report, shown, (row) => outcomes[row - 1] ?? { row, state: "waiting" });
    return undefined;
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    const failure = failureOfRun(running, paid, { outcomes, ends, cutOff });
    return new RelayctlError("io", `the report cannot be written: ${error.message}`, {
      applied: failure?.applied ?? "yes",
      because: [failure?.message ?? "all payments were accepted", ...(failure?.because ?? [])],
      details: failure?.details ?? [],
      hint: running.resumeLine,
    });
  }
}

function isPaid(state: RowState): boolean {
  return state === "sent" || state === "confirmed";
}

async function endedRows(running: Running, rows: Rows): Promise<Ended> {
  const { call, session, typed } = running;
  const { wait, relayerId, file } = typed;
  const outcomes = file.payments.map(({ row }) => outcomeOf(rows, row));
  const ends = new Map<number, Standing["end"]>();
  const awaited = file.payments.flatMap((payment) => {
    const { state, transactionId } = rows.get(payment.row);
    return state === "sent" && transactionId ? [{ payment, transactionId }] : [];
  });
  if (!wait || awaited.length === 0 || call.app.interrupt.aborted) return { outcomes, ends, cutOff: undefined };
  const { awaitRows } = await import("./await-rows.ts");
  try {
    await awaitRows(call, session, { relayerId, plan: wait, awaited }, ({ row }, standing) => {
      ends.set(row, standing.end);
      outcomes[row - 1] = { ...outcomeOf(rows, row), ...standingOf(standing) };
    });
    return { outcomes, ends, cutOff: undefined };
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    return { outcomes, ends, cutOff: error };
  }
}

function outcomeOf(rows: Rows, row: number): RowOutcome {
  const { state, transactionId, why } = rows.get(row);
  const isExplained = why !== undefined && state !== "sent";
  return { row, state, ...(transactionId && { transactionId }), ...(isExplained && { why }) };
}

const STATES: Readonly<Record<string, RowState>> = { canceled: "canceled", reached: "confirmed", unmet: "failed" };

/** What the record and the chain show. A transaction that the record shows otherwise than the chain is neither paid nor failed. */
function standingOf(standing: Standing): Partial<RowOutcome> {
  const { hash, block, fee_paid: fee, verdict, why, end } = resultOf(standing);
  const isConfirmed = verdict === "confirmed";
  if (end === "gone" && verdict === null) return { why: "the service does not have its record any more" };
  const state = verdict === "canceled" ? "canceled" : end === "reached" && !isConfirmed ? "sent" : STATES[end ?? ""];
  return {
    ...(state && { state }),
    ...(hash !== null && { hash }),
    ...(block !== null && block !== undefined && { block: Number(block) }),
    ...(fee !== null && { fee: BigInt(fee) }),
    ...(verdict !== null && { verdict }),
    ...(why !== null && !isConfirmed && { why }),
  };
}
