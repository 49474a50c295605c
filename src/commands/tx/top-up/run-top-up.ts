import { addressOf } from "../../../chain/evm/quantity.ts";
import { validateCoins } from "../../../coins/named-coins.ts";
import { repeatedCommand, withoutConsent } from "../../../command-support/repeated-command.ts";
import { isShown } from "../../../command-support/shown.ts";
import { formatAmount } from "../../../contract/amount.ts";
import { counted, grouped } from "../../../contract/decimal.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { Problems } from "../../../contract/problems.ts";
import { unsent, usageError } from "../../../errors.ts";
import type { Lease } from "../../../journal/journal.ts";
import { failureOfRun } from "../../../payments/failure.ts";
import { readPayer } from "../../../payments/read-payer.ts";
import { pay, payingAlone } from "../../../payments/run/pay.ts";
import type { Payer } from "../../../payments/run/plan.ts";
import { outcomeOf, type Rows } from "../../../payments/run/rows.ts";
import type { Paid, Running } from "../../../payments/run/running.ts";
import type { TopUp, TopUpState } from "../../../payments/top-up/top-up.ts";
import { requireJournal } from "../../../session/journaling/session-journal.ts";
import type { Session } from "../../../session/session.ts";
import { shellOf } from "../../../shell/shell-of.ts";
import { historyCommand } from "../../../shell/shell-words.ts";
import { type Ending, type ListView, listFrom, onePage, type View } from "../../../terminal/view.ts";
import { topUpViewIn } from "../../../views/top-up.ts";
import type { Call } from "../../command.ts";
import { payerSource } from "../send-many/run-payments.ts";
import type { TopUpFlags } from "./flags.ts";
import { type Planned, planFor, runningFor, whyStuck } from "./running.ts";
import type { TopUpCall, TypedTopUp } from "./typed-top-up.ts";

export async function runTopUp(call: Call<TopUpFlags>, typed: TypedTopUp): Promise<View> {
  if (call.app.capture)
    throw usageError([
      { where: "topup", rule: "cannot be proposed: it decides what to send once it has read the balances" },
    ]);
  const session = await call.session();
  const payer = await readPurse(call, session, typed);
  const started = { call, session, typed, payer };
  if (isShown(call)) return await showTopUps(started);
  const journal = await requireJournal(session, "topup");
  const usualJournal = await session.usualJournal();
  const { network } = payer.relayer;
  const alone = { sha256: `top-ups ${network} ${session.origin}`, name: `top-ups on ${network}` };
  const work = async (lease: Lease) => await topUpAll(started, lease, await planFor(started));
  const own = () => payingAlone(journal, alone, work);
  return usualJournal ? await payingAlone(usualJournal, alone, own) : await own();
}

async function readPurse(call: Call, session: Session, { relayerId, coins }: TypedTopUp): Promise<Payer> {
  const payer = await readPayer(payerSource(call, session), { relayerId, file: {} });
  const problems = new Problems();
  validateCoins(problems, coins, { ...payer.coin, network: payer.relayer.network });
  if (addressOf(payer.relayer.address) === undefined) problems.add("--from", "has no address", relayerId);
  problems.throwIfAny();
  return payer;
}

async function showTopUps(started: TopUpCall): Promise<View> {
  const { call, typed, payer } = started;
  const planned = await planFor(started);
  const { maxTotal } = typed;
  await call.say("dry run: balances were read, and nothing was sent");
  if (maxTotal !== undefined && planned.file.total > maxTotal)
    await call.say(`note: ${aboveMost(payer, planned, maxTotal)}`);
  const stuck = await whyStuck(started);
  if (stuck) await call.say(`note: ${stuck.message}`);
  return viewOf(started, planned);
}

function aboveMost({ coin }: Payer, { file }: Planned, maxTotal: bigint): string {
  return `the sum, ${formatAmount(file.total, coin)}, is above --max-total, ${formatAmount(maxTotal, coin)}`;
}

async function topUpAll(started: TopUpCall, lease: Lease, planned: Planned): Promise<View> {
  const { call, typed, payer } = started;
  const { file } = planned;
  if (file.payments.length === 0) return viewOf(started, planned);
  if (typed.maxTotal !== undefined && file.total > typed.maxTotal)
    throw unsent("declined", aboveMost(payer, planned, typed.maxTotal));
  const stuck = await whyStuck(started);
  if (stuck) throw stuck;
  const { app, argv } = call;
  const resumeLine = repeatedCommand(withoutConsent(argv), [], shellOf(app.env));
  const { running, skipped } = await runningFor(started, { lease, planned, resumeLine });
  const paid = await pay(running);
  const view = viewOf(started, planned, { rows: paid.rows, skipped });
  return { ...view, ending: async () => endingOf(started, { running, paid, skipped }) };
}

interface Outcomes {
  rows?: Rows;
  /** The rows that were not needed any more. */
  skipped?: ReadonlySet<number>;
}

function viewOf({ session, payer, typed }: TopUpCall, { topUps }: Planned, outcomes: Outcomes = {}): ListView {
  const isLow = topUps.some(({ row }) => row !== undefined);
  const none =
    topUps.length === 0
      ? "no relayer to top up"
      : `no balance is below ${formatAmount(typed.levels.below, payer.coin)}`;
  return listFrom(session, topUpViewIn(payer.coin), onePage(topUps.map((topUp) => topUpItem(topUp, outcomes))), {
    chosen: true,
    nothing: null,
    ending: async () => ({ notes: isLow ? [] : [`${none} in ${session.name}; nothing was sent`] }),
  });
}

function topUpItem(topUp: TopUp, { rows, skipped }: Outcomes): JsonObject {
  const { name, address, balance, pending, row, amount } = topUp;
  const isSkipped = row !== undefined && skipped?.has(row) === true;
  const outcome = row === undefined || !rows ? undefined : outcomeOf(rows, row);
  const sent = isSkipped ? 0n : amount;
  const state: TopUpState = isSkipped ? "skipped" : (outcome?.state ?? (row === undefined ? "enough" : "waiting"));
  return {
    ...{ target: name, address, balance: String(balance), pending: String(pending), amount: String(sent) },
    ...{ after: String(balance + pending + sent), state, transaction_id: outcome?.transactionId ?? null },
    ...{ hash: outcome?.hash ?? null, why: outcome?.why ?? null },
  };
}

function endingOf(
  { call, session, payer }: TopUpCall,
  { running, paid, skipped }: { running: Running; paid: Paid; skipped: ReadonlySet<number> },
): Ending {
  const { payments } = running.plan.file;
  const due = [...payments].filter(({ row }) => !skipped.has(row));
  const outcomes = due.map(({ row }) => outcomeOf(paid.rows, row));
  const sent = due.filter(({ row }) => paid.rows.get(row).state === "sent");
  const failure = failureOfRun(running, paid, { outcomes, ends: new Map(), cutOff: undefined });
  const sum = sent.reduce((total, { value }) => total + value, 0n);
  const counts = `${grouped(sent.length)} of ${counted(due.length, "top-up")}`;
  const { run } = paid;
  if (run === undefined || sent.length === 0) return { failure };
  const show = historyCommand(call.flags.state, session.flags, ["history", "show", run]);
  return {
    receipt: [`accepted in ${session.name}: ${counts}, ${formatAmount(sum, payer.coin)}`, `run ${run}`],
    next: failure ? [] : [`follow: ${show}`],
    failure,
  };
}
