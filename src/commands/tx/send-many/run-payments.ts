import { bulkProblemsByReason } from "../../../client/bulk/run-all.ts";
import { symbolFor } from "../../../coins/coin-symbol.ts";
import { repeatedCommand, withoutConsent, withoutFlag } from "../../../command-support/repeated-command.ts";
import { isDryRun, showRequests } from "../../../command-support/shown.ts";
import { type Currency, currencyOf, formatAmount } from "../../../contract/amount.ts";
import { groupDigits, pluralize } from "../../../contract/decimal.ts";
import { operations } from "../../../contract/operations.ts";
import { ifReadable, RelayctlError } from "../../../errors.ts";
import { readBalanceForFee } from "../../../limits/fee.ts";
import { countUnclearPayments, paymentRunFailure, TO_CHECK } from "../../../payments/failure.ts";
import { paymentSums, type Sum, type Sums } from "../../../payments/outcome.ts";
import { createPayerReader, type PayerSource } from "../../../payments/read-payer.ts";
import { paymentReportRows } from "../../../payments/report/report.ts";
import { BEGIN, mostLedgerOffset, noteLedgerRun } from "../../../payments/run/ledger.ts";
import { awaitPayments } from "../../../payments/run/outcomes.ts";
import { payRows, readDuePayments, readRecordedLeft, withPaymentsLease } from "../../../payments/run/pay.ts";
import { Rows } from "../../../payments/run/rows.ts";
import {
  AS_FLAGS,
  type Ended,
  type Paid,
  type Payer,
  type PaymentWorld,
  type ReadingWorld,
  type Running,
} from "../../../payments/run/running.ts";
import { paymentRequest } from "../../../payments/run/send.ts";
import { recalledOutcome } from "../../../recovery/recall.ts";
import { requireSessionJournal } from "../../../session/journaling/session-journal.ts";
import type { Session } from "../../../session/session.ts";
import { commandLine, historyCommand, userShell } from "../../../shell/shell-words.ts";
import { durationText } from "../../../terminal/text/duration.ts";
import { type ListView, listFrom, type Page, type View } from "../../../terminal/view.ts";
import { auditPaymentView } from "../../../views/audit/audit.ts";
import type { Call } from "../../command.ts";
import { consentPayerLines, consentToPay } from "./consent.ts";
import type { PaymentFlags } from "./flags.ts";
import type { TypedRun } from "./typed-run.ts";

export async function runPayments(call: Call<PaymentFlags>, typed: TypedRun): Promise<View> {
  const session = await call.session();
  if (isDryRun(call)) return await showPayments(call, session, typed);
  const journal = await requireSessionJournal(session, "tx send-many");
  const usualJournal = await session.usualJournal();
  const { relayerId, file } = typed;
  return await withPaymentsLease(journal, file, async (lease) => {
    const running: Running = {
      world: paymentWorld(call, session, { relayerId, nodeUrl: typed.wait?.nodeUrl }, { journal, usualJournal }),
      lease,
      payerId: { server: session.origin, relayerId },
      payer: createPayerReader(runPayerSource(session), typed),
      plan: typed,
      resumeLine: resumeCommand(call, session, typed),
    };
    return await endedView({ call, session, typed }, running, await payRows(running));
  });
}

function resumeCommand({ app, argv, args, common }: Call<PaymentFlags>, session: Session, { relayerId }: TypedRun) {
  const again = withoutFlag(withoutFlag(withoutConsent(argv), "--again"), "--assume-not-sent", true);
  // Only one argument or flag can have read stdin.
  const words = again.map((word) => (word === "-" && args[0] === "-" ? relayerId : word));
  const isCurrent = common.context === undefined && session.flags[0] === "-c";
  const target = isCurrent ? session.flags.slice(0, 2) : [];
  return repeatedCommand([...target, ...words], ["--resume"], userShell(app.env));
}

async function showPayments(call: Call<PaymentFlags>, session: Session, typed: TypedRun): Promise<View> {
  const { relayerId, file } = typed;
  const world = readingWorld(call, session, typed);
  const left = await readShownLeft(call, session, typed);
  const { asked, refused } = await readDuePayments(
    { world, payer: createPayerReader(runPayerSource(session), typed), plan: typed },
    left,
  );
  const problems = Array.from(refused, ([row, rule]) => ({ where: `row ${row}`, given: "refused", rule }));
  const lines = bulkProblemsByReason(problems, () => "rows refused").map((warning) => ({ warning }));
  if (!asked)
    return await showRequests(call, [], true, {
      summary: lines.length > 0 ? lines : [{ note: "no row is left to send" }],
    });
  const { payments, gas } = asked;
  const most = mostLedgerOffset(file.payments.length);
  const note = `each gas limit is raised by a number up to ${most} that no other row has`;
  const summary = [...(await consentPayerLines(session, asked)), ...lines, { note }];
  const requests = Array.from(payments, (payment, index) => ({
    operation: operations["tx.send"],
    parameters: { relayer_id: relayerId },
    body: paymentRequest(payment, gas[index] ?? 0).body,
  }));
  return await showRequests(call, requests, true, { summary });
}

/** Without --resume, a dry run shows the whole file. */
async function readShownLeft(call: Call<PaymentFlags>, session: Session, typed: TypedRun) {
  const count = typed.file.payments.length;
  const all = Array.from({ length: count }, (_, index) => index + 1);
  if (!typed.start.resume) return { rows: new Rows(count), open: all, assumed: [], resumed: undefined };
  const journal = await requireSessionJournal(session, "tx send-many");
  const world = journaledWorld(call, { journal, usualJournal: await session.usualJournal() });
  return await readRecordedLeft(world, { server: session.origin, relayerId: typed.relayerId }, typed);
}

type Journals = Pick<PaymentWorld, "journal" | "usualJournal">;

function journaledWorld({ say, flags }: Call<Pick<PaymentFlags, "state">>, journals: Journals) {
  const show = (...words: readonly string[]) => historyCommand(flags.state, [], ["history", ...words]);
  return { ...journals, say, spelling: AS_FLAGS, historyCommand: show };
}

export function runPayerSource(session: Session): PayerSource {
  return { client: session.client, flags: session.flags, symbolOf: (relayer) => symbolFor(session, relayer) };
}

function readingWorld(call: Call, session: Session, { relayerId }: Pick<TypedRun, "relayerId">): ReadingWorld {
  const { app, say, count } = call;
  return {
    clock: app.clock,
    interrupt: app.interrupt,
    client: session.client,
    balance: () => readBalanceForFee(session, relayerId),
    say,
    count,
    commandFor: (...words) => commandLine(...session.flags, ...words),
  };
}

export function paymentWorld(
  call: Call<Pick<PaymentFlags, "state">>,
  session: Session,
  typed: Pick<TypedRun, "relayerId"> & { nodeUrl?: string | undefined },
  { journal, usualJournal, consent = consentToPay }: Journals & { consent?: typeof consentToPay },
): PaymentWorld {
  const { relayerId, nodeUrl: url } = typed;
  const { remaining, inBulk, briefly, recorded } = session;
  const lost: string[] = [];
  return {
    ...readingWorld(call, session, typed),
    ...journaledWorld(call, { journal, usualJournal }),
    random: call.app.random,
    async requireComplete(each) {
      lost.push(...(await session.lostLines(each, each === usualJournal)));
    },
    ...(remaining && { remaining }),
    inBulk,
    briefly,
    ownNode: (network) => session.ownNode(network, { url }),
    abis: () => session.abis(),
    agree: (asked) => consent(call, session, asked, lost),
    async begin(payments, resumed) {
      const request = { operation: BEGIN, parameters: { relayer_id: relayerId } };
      const run = await session.beginPayments(request, payments, resumed);
      await noteLedgerRun({ journal, usualJournal, say: call.say }, { run, sha256: payments.sha256 });
      return run;
    },
    recorded,
    foundOutcome: recalledOutcome,
  };
}

interface Shown {
  call: Call<PaymentFlags>;
  session: Session;
  typed: TypedRun;
}

async function endedView(shown: Shown, running: Running, paid: Paid): Promise<ListView> {
  const { call, session, typed } = shown;
  const payer = await ifReadable(running.payer());
  const coin = payer?.coin ?? currencyOf("evm", paid.symbol);
  const { clock } = call.app;
  const began = clock.elapsed();
  const ended = await awaitPayments(running, paid.rows);
  const took = clock.elapsed() - began;
  const { payments } = typed.file;
  const outcomeFor = (row: number) => ended.outcomes[row - 1] ?? { row, state: "waiting" as const };
  const failure =
    (await reportFailure({ ...shown, coin, payer }, running, paid, ended)) ?? paymentRunFailure(running, paid, ended);
  const { states, byRecord, fees } = paymentSums(payments, outcomeFor);
  // What failed on the chain was accepted, too.
  const all = [states.sent, states.confirmed, states.failed, states.canceled];
  const accepted = all.reduce((count, each) => count + each.payments, 0);
  const counts = `${groupDigits(accepted)} of ${groupDigits(payments.length)} payments`;
  const sum = formatAmount(
    all.reduce((total, each) => total + each.sum, 0n),
    coin,
  );
  const ends = typed.wait
    ? [endsLine(states, countUnclearPayments(ended), `${formatAmount(fees, coin)}; ${durationText(took)}`)]
    : [];
  const outcome = `accepted in ${session.name}: ${counts}, ${sum}`;
  const { run } = paid;
  return listFrom(session, auditPaymentView(coin), pages(), {
    async ending() {
      if (run === undefined) return { failure };
      const more = [...ends, ...recordLines(byRecord, coin), `run ${run}`];
      const show = historyCommand(call.flags.state, session.flags, ["history", "show", run]);
      const next = failure ? [] : [{ follow: show }];
      const said = accepted > 0 ? { receipt: [{ done: outcome }, ...more], next } : { notes: [outcome, ...more] };
      return { ...said, failure };
    },
  });

  async function* pages(): AsyncGenerator<Page> {
    for (const items of paymentReportRows(payments, outcomeFor))
      yield { items, total: payments.length, body: new Uint8Array() };
  }
}

async function reportFailure(
  { call, typed, payer, coin }: Shown & { payer: Payer | undefined; coin: Currency },
  running: Running,
  paid: Paid,
  ended: Ended,
) {
  const { relayerId, file, report } = typed;
  if (report === undefined) return undefined;
  const { network } = payer?.relayer ?? {};
  const { writeReport } = await import("../../../payments/report/write-report.ts");
  try {
    const run = { run: paid.run ?? "", relayer: relayerId, network: typeof network === "string" ? network : null };
    const shown = { ...run, coin: coin.symbol ?? null, file };
    await writeReport(call.app, report, shown, (row) => ended.outcomes[row - 1] ?? { row, state: "waiting" });
    return undefined;
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    const failure = paymentRunFailure(running, paid, ended);
    return new RelayctlError("io", `the report cannot be written: ${error.message}`, {
      applied: failure?.applied ?? "yes",
      because: [failure?.message ?? "all payments were accepted", ...(failure?.because ?? [])],
      details: failure?.details ?? [],
      hint: running.resumeLine,
    });
  }
}

function endsLine(states: Sums["states"], unclear: number, feesAndTime: string): string {
  const { confirmed, failed, canceled, sent, unknown } = states;
  const counts = [
    [confirmed.payments, "confirmed"],
    [failed.payments, "failed"],
    [canceled.payments, "canceled"],
    [sent.payments - unclear, "in progress"],
    [unclear, TO_CHECK],
    [unknown.payments, "unknown"],
  ] as const;
  const words = counts.flatMap(([count, word]) =>
    count > 0 || word === "confirmed" ? `${groupDigits(count)} ${word}` : [],
  );
  return `${words.join(", ")}; fees ${feesAndTime}`;
}

function recordLines({ payments, sum }: Sum, coin: Currency): string[] {
  const what = `${pluralize(payments, "payment")}, ${formatAmount(sum, coin)}`;
  return payments === 0 ? [] : [`only by the service's records: ${what}; the chain was not asked`];
}
