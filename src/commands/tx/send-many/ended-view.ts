import { historyCommand } from "../../../command-support/journaling/lost-lines.ts";
import type { Session } from "../../../command-support/session/session.ts";
import { formatAmount } from "../../../contract/amount.ts";
import type { Currency } from "../../../contract/currency.ts";
import { counted, grouped } from "../../../contract/decimal.ts";
import { RelayctlError } from "../../../errors.ts";
import { paymentRows } from "../../../payments/report/report.ts";
import { type Sum, sumsOf } from "../../../payments/report/sums.ts";
import { endedRows } from "../../../payments/run/outcomes.ts";
import type { Ended, Paid, Running } from "../../../payments/run/running.ts";
import type { ListView, Page } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";
import { failureOfRun } from "./failure.ts";
import type { PaymentFlags } from "./flags.ts";
import type { TypedRun } from "./typed-run.ts";
import { paymentViewIn } from "./view.ts";

interface Shown {
  call: Call<PaymentFlags>;
  session: Session;
  typed: TypedRun;
}

/** Waits for the payments if that was typed, and returns the view of all rows. */
export async function endedView(shown: Shown, running: Running, paid: Paid): Promise<ListView> {
  const { call, session, typed } = shown;
  const { payer } = running;
  const ended = await endedRows(running, paid.rows);
  const { payments } = typed.file;
  const outcomeOf = (row: number) => ended.outcomes[row - 1] ?? { row, state: "waiting" as const };
  const failure = (await reportFailure(shown, running, paid, ended)) ?? failureOfRun(running, paid, ended);
  const { states, byRecord } = sumsOf(payments, outcomeOf);
  const accepted = states.sent.payments + states.confirmed.payments;
  const counts = `${grouped(accepted)} of ${grouped(payments.length)} payments`;
  const sum = formatAmount(states.sent.sum + states.confirmed.sum, payer.coin);
  const lines = [`accepted in ${session.name}: ${counts}, ${sum}`, ...recordLines(byRecord, payer.coin)];
  const { run } = paid;
  return {
    kind: "list",
    resource: paymentViewIn(payer.coin),
    pages: pages(),
    where: session.name,
    flags: session.flags,
    inOrder: true,
    async ending() {
      const receipt = run === undefined ? [] : [...lines, `run ${run}`];
      const next =
        run === undefined || failure
          ? []
          : [`follow: ${historyCommand(call.flags.state, session.flags, ["history", "show", run])}`];
      return { ...(accepted > 0 ? { receipt, next } : { notes: receipt }), ...(failure && { failure }) };
    },
  };

  async function* pages(): AsyncGenerator<Page> {
    for (const items of paymentRows(payments, outcomeOf))
      yield { items, total: payments.length, body: new Uint8Array() };
  }
}

/** Writes the report. Returns the error if it cannot be written, which says what became of the payments too. */
async function reportFailure(
  { call, typed }: Shown,
  running: Running,
  paid: Paid,
  { outcomes, ends, cutOff }: Ended,
): Promise<RelayctlError | undefined> {
  const { payer } = running;
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

/** Says of how much the chain does not show the end. */
function recordLines({ payments, sum }: Sum, coin: Currency): string[] {
  const what = `${counted(payments, "payment")}, ${formatAmount(sum, coin)}`;
  return payments === 0 ? [] : [`by the service's records alone: ${what}; the chain could not be asked`];
}
