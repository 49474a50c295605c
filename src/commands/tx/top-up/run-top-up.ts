import { hexAddress } from "../../../chain/evm/quantity.ts";
import { type Chain, openChain } from "../../../chain/open-chain.ts";
import { USUAL_CONCURRENCY } from "../../../client/bulk/bounds.ts";
import { refuseWithoutSignature } from "../../../client/needs-signature.ts";
import { apiRequest } from "../../../client/request.ts";
import { runWorkers } from "../../../client/run-workers.ts";
import { validateCoins } from "../../../coins/named-coins.ts";
import { askShowing, consentTitle } from "../../../command-support/consent/consent.ts";
import { repeatedCommand, withoutConsent } from "../../../command-support/repeated-command.ts";
import { isDryRun } from "../../../command-support/shown.ts";
import { formatAmount, typedAmount, wireAmount } from "../../../contract/amount.ts";
import { groupDigits, pluralize } from "../../../contract/decimal.ts";
import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import { Problems } from "../../../contract/problems.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { isPending } from "../../../contract/transaction/transaction.ts";
import { RelayctlError, rescue, unsentError, usageError } from "../../../errors.ts";
import type { Lease } from "../../../journal/journal.ts";
import { readFee } from "../../../limits/fee.ts";
import type { Row } from "../../../message.ts";
import { paymentRunFailure } from "../../../payments/failure.ts";
import { readPayer } from "../../../payments/read-payer.ts";
import { payRows, withPaymentsLease } from "../../../payments/run/pay.ts";
import { type Rows, rowOutcome } from "../../../payments/run/rows.ts";
import {
  type AskedPayments,
  type Paid,
  type Payer,
  type PaymentWorld,
  type Running,
  USUAL_FAILURES,
} from "../../../payments/run/running.ts";
import { type ChainNow, openPurse, type Purse, readPurseChain } from "../../../payments/top-up/purse.ts";
import {
  AS_TOP_UP,
  planTopUps,
  type TopUp,
  type TopUpState,
  type TopUpTarget,
  topUpPayments,
  topUpTargets,
} from "../../../payments/top-up/top-up.ts";
import { readUnshown } from "../../../payments/top-up/unshown.ts";
import { collectById } from "../../../session/collect.ts";
import { requireSessionJournal } from "../../../session/journaling/session-journal.ts";
import type { Session } from "../../../session/session.ts";
import { historyCommand, userShell } from "../../../shell/shell-words.ts";
import { type Ending, type ListView, listFrom, onePageView, type View } from "../../../terminal/view.ts";
import { alignWidths } from "../../../terminal/width.ts";
import { topUpViewIn } from "../../../views/top-up.ts";
import type { Call } from "../../command.ts";
import { paymentLimitsExceeded } from "../send-many/consent.ts";
import { paymentWorld, runPayerSource } from "../send-many/run-payments.ts";
import { diagnoseStuckRelayer, stuckNextCommand } from "../stuck/list-stuck.ts";
import { readPendingAhead } from "../stuck/stuck-ahead.ts";
import type { TopUpFlags } from "./flags.ts";
import type { TopUpCall, TypedTopUp } from "./typed-top-up.ts";

/** Amounts are in wei: about `price` per gas, and `least` stays in the purse; `readMoving` rereads amounts on their way. */
type Planned = Awaited<ReturnType<typeof planFor>>;

/** How much the gas price may rise before a payment is mined. */
const RESERVE = 2n;

async function planFor(started: TopUpCall) {
  const { call, session, typed, payer } = started;
  const { client } = session;
  const { relayer: purse } = payer;
  const { relayerId, nodeUrl: url, speed, levels } = typed;
  const ownNode = (network: string | undefined) => session.ownNode(network, { url });
  const relayers = await collectById<Relayer>(client.relayers.list());
  const { targets, notes } = topUpTargets(relayers, purse, typed.targets, session);
  for (const note of notes) await call.say(note);
  const chain = await openChain({ client, relayerId, relayer: purse, ownNode });
  const at = await readPurseChain(chain.node);
  const price = await readPrice(started, chain);
  const addresses = new Set(targets.map(({ address }) => address));
  const journals = [await session.journal(), await session.usualJournal()].flatMap((each) => each ?? []);
  const now = () => call.app.clock.now();
  const world = { client, ownNode, journals, now, server: session.origin, records: session.reach === "all" };
  const readMoving = (at: ChainNow) => readUnshown(world, { purse, relayers, at, addresses, price: RESERVE * price });
  const { to } = await readMoving(at);
  const balances = await readBalances(at, targets);
  const holdings = targets.map((target) => {
    const { address } = target;
    return { ...target, balance: balances.get(address) ?? 0n, pending: to.get(address) ?? 0n };
  });
  const topUps = planTopUps(holdings, levels);
  const { policies } = purse;
  const least = (isJsonObject(policies) ? wireAmount(policies.min_balance) : undefined) ?? 0n;
  return { topUps, file: topUpPayments(topUps, speed), chain, price, least, readMoving };
}

async function readBalances(at: ChainNow, targets: readonly TopUpTarget[]): Promise<ReadonlyMap<string, bigint>> {
  const balances = new Map<string, bigint>();
  const unread = targets.values();
  const work = async () => {
    for (const { address, name } of unread) {
      const balance = rescue(at.balanceOf(address), (error) => {
        throw error.with({ because: [`the balance of ${name} could not be read`] });
      });
      balances.set(address, await balance);
    }
  };
  await runWorkers(USUAL_CONCURRENCY, work, () => unread.return?.());
  return balances;
}

async function whyStuck({ call, session, payer, typed }: TopUpCall): Promise<RelayctlError | undefined> {
  const { id } = payer.relayer;
  const records = await readPendingAhead(session.client, id);
  if (!records.some(isPending)) return undefined;
  const ownNode = (network: string | undefined) => session.ownNode(network, { url: typed.nodeUrl });
  const source = { session: { client: session.client, ownNode }, relayerId: id, now: call.app.clock.now() };
  const { diagnosis } = await diagnoseStuckRelayer(source, async (isWanted) => records.filter(isWanted));
  if (diagnosis.isStuck !== true) return undefined;
  return new RelayctlError("conflict", `the queue of ${id} is stuck: ${diagnosis.findings[0]?.message ?? ""}`, {
    because: ["nothing was sent: a new payment would wait for the stuck transaction"],
    hint: stuckNextCommand(diagnosis, { id, flags: session.flags }) ?? "",
    retryable: false,
  });
}

async function readPrice({ typed: { speed }, payer }: TopUpCall, { node }: Chain): Promise<bigint> {
  const fee = await readFee({ kind: "evm", body: { speed, gas_limit: 1 }, relayer: payer.relayer, node });
  if (fee) return fee.amount;
  throw unsentError("server", `${node.name} does not return the price of gas`);
}

function purseAddress({ payer }: TopUpCall): string {
  return hexAddress(payer.relayer.address) ?? "";
}

async function runningFor(
  started: TopUpCall,
  { lease, planned, resumeLine }: { lease: Lease; planned: Planned; resumeLine: string },
) {
  const { session, typed, payer } = started;
  const { relayerId } = typed;
  const skipped = new Set<number>();
  const running: Running = {
    world: await worldFor(started, planned, skipped),
    lease,
    payerId: { server: session.origin, relayerId },
    payer: async () => payer,
    resumeLine,
    plan: {
      ...{ relayerId, file: planned.file, path: "", wait: undefined },
      pace: { concurrency: USUAL_CONCURRENCY, interval: 0, stopAfter: USUAL_FAILURES },
      start: { again: true, resume: false, run: undefined, assumed: [] },
    },
  };
  return { running, skipped };
}

interface Agreed {
  purse: Purse;
  /** By address, the amounts on their way. */
  pending: ReadonlyMap<string, bigint>;
  /** By row, the most that it takes from the purse. */
  costs: ReadonlyMap<number, bigint>;
}

async function worldFor(started: TopUpCall, planned: Planned, skipped: Set<number>): Promise<PaymentWorld> {
  const { call, session, typed, payer } = started;
  const { coin } = payer;
  const { chain, least, readMoving, topUps } = planned;
  const journal = await requireSessionJournal(session, "topup");
  const address = purseAddress(started);
  const readChain = () => readPurseChain(chain.node);
  let agreed: Agreed | undefined;
  const consent = async (_: unknown, __: unknown, asked: AskedPayments, lost: readonly string[]) => {
    await agreeToTopUp(started, planned, asked, lost);
    // A user may take hours to confirm.
    const { to: pending, outgoing } = await readMoving(await readChain());
    const readOutgoing = async (at: ChainNow) => (await readMoving(at)).outgoing;
    const purse = openPurse({ readChain, readOutgoing, address, least }, outgoing);
    agreed = { purse, pending, costs: costByRow(planned, asked) };
  };
  const world = paymentWorld(call, session, typed, {
    journal,
    usualJournal: await session.usualJournal(),
    consent,
  });
  return {
    ...world,
    spelling: AS_TOP_UP,
    // `agree` compares them with what the purse can pay.
    balance: async () => undefined,
    // No file is compared with them.
    begin: ({ content, first, ...payments }, resumed) => world.begin(payments, resumed),
    async beforeRow(row) {
      const topUp = topUps.find((each) => each.row === row);
      if (!agreed || !topUp) throw new RelayctlError("internal", `top-up ${row} is not agreed to`);
      const has = (await (await readChain()).balanceOf(topUp.address)) + (agreed.pending.get(topUp.address) ?? 0n);
      if (has >= typed.levels.below) {
        skipped.add(row);
        const why = `${topUp.name} has ${formatAmount(has, coin)} now`;
        await call.say({ note: `${why}, and is skipped` });
        throw new RelayctlError("unmet", why);
      }
      if (!(await agreed.purse.reserve(agreed.costs.get(row) ?? 0n))) throw tooLowError(started, least);
    },
  };
}

async function agreeToTopUp(started: TopUpCall, planned: Planned, asked: AskedPayments, lost: readonly string[]) {
  const { call, session } = started;
  const { chain, least, readMoving, topUps } = planned;
  const at = await readPurseChain(chain.node);
  const free = (await at.balanceOf(purseAddress(started))) - (await readMoving(at)).outgoing;
  let cost = 0n;
  for (const each of costByRow(planned, asked).values()) cost += each;
  if (free - cost < least) throw tooLowError(started, least, { free, cost });
  const fees = (cost - asked.sum) / RESERVE;
  await consentToTopUp(call, session, { ...asked, topUps, free, least, fees }, lost);
}

function costByRow({ price }: Planned, { payments, gas }: Pick<AskedPayments, "payments" | "gas">) {
  return new Map(
    Array.from(payments, ({ row, value }, index) => [row, value + RESERVE * price * BigInt(gas[index] ?? 0)]),
  );
}

function tooLowError({ payer: { relayer, coin } }: TopUpCall, least: bigint, found?: { free: bigint; cost: bigint }) {
  const keeps = least === 0n ? "" : ` and keep its minimum of ${formatAmount(least, coin)}`;
  const lines = found
    ? [
        `without its pending transactions it has ${formatAmount(found.free, coin)}, and this takes up to ${formatAmount(found.cost, coin)} with fees`,
        "nothing was sent",
      ]
    : ["no further payment was sent"];
  return new RelayctlError("conflict", `${relayer.id} cannot pay this${keeps}`, {
    because: lines,
    retryable: false,
  });
}

interface Asked extends AskedPayments {
  topUps: readonly TopUp[];
  fees: bigint;
  /** The purse's balance, without outgoing amounts. */
  free: bigint;
  least: bigint;
}

async function consentToTopUp(call: Call, session: Session, asked: Asked, lost: readonly string[]): Promise<void> {
  const { payer, topUps, sum } = asked;
  const names = new Map(topUps.map(({ row, name }) => [`row ${row}`, name]));
  const beyond = (await paymentLimitsExceeded(session, payer, asked)).map((line) =>
    line.replace(/^row \d+/, (row) => names.get(row) ?? row),
  );
  const risks = [...lost, ...beyond];
  refuseWithoutSignature(apiRequest("tx.send", { relayer_id: payer.relayer.id }), session.approvers);
  await session.requireReason();
  const title = `send ${formatAmount(sum, payer.coin)} from ${payer.relayer.id} in ${pluralize(asked.payments.length, "top-up")}`;
  const lines = [`${title} in ${session.name}`, ...topUpLines(topUps, payer), ...purseLines(asked), ...risks];
  const [question, act, named] = [consentTitle(session, title), "topping up", { type: session.name }];
  const questions = [
    ...(risks.length > 0 ? [{ question, act, sort: named, risks }] : []),
    { question, act, sort: session.protected ? named : ("yes" as const) },
  ];
  const { argv } = call;
  const most = argv.some((word) => /^--max-total(=|$)/.test(word)) ? [] : ["--max-total", typedAmount(sum, payer.coin)];
  await askShowing({ ...call, argv: [...argv, ...most] }, questions, lines);
}

function topUpLines(topUps: readonly TopUp[], { coin }: Pick<Payer, "coin">): Row[] {
  const shown = (amount: bigint) => formatAmount(amount, coin);
  const rows = topUps.flatMap(({ row, name, balance, pending, amount }) =>
    row === undefined ? [] : [[name, shown(balance), shown(pending), shown(amount), shown(balance + pending + amount)]],
  );
  return alignWidths([["TARGET", "BALANCE", "PENDING", "AMOUNT", "AFTER"], ...rows]);
}

function purseLines({ payer: { relayer, coin }, sum, fees, free, least }: Asked): Row[] {
  const left = `${formatAmount(free, coin)} → about ${formatAmount(free - sum - fees, coin)}`;
  return alignWidths([
    ["fees", `about ${formatAmount(fees, coin)}`],
    [relayer.id, least === 0n ? left : `${left}; it keeps at least ${formatAmount(least, coin)}`],
  ]);
}

export async function runTopUp(call: Call<TopUpFlags>, typed: TypedTopUp): Promise<View> {
  if (call.app.capture)
    throw usageError([
      { where: "topup", rule: "cannot be proposed: it decides what to send once it has read the balances" },
    ]);
  const session = await call.session();
  const payer = await readPurse(session, typed);
  const started = { call, session, typed, payer };
  if (isDryRun(call)) return await showTopUps(started);
  const journal = await requireSessionJournal(session, "topup");
  const usualJournal = await session.usualJournal();
  const { network } = payer.relayer;
  const alone = { sha256: `top-ups ${network}`, name: `top-ups on ${network}` };
  const work = async (lease: Lease) => await topUpAll(started, lease, await planFor(started));
  const own = () => withPaymentsLease(journal, alone, work);
  return usualJournal ? await withPaymentsLease(usualJournal, alone, own) : await own();
}

async function readPurse(session: Session, { relayerId, coins }: TypedTopUp): Promise<Payer> {
  const payer = await readPayer(runPayerSource(session), { relayerId, file: {} });
  const problems = new Problems();
  validateCoins(problems, coins, { ...payer.coin, network: payer.relayer.network });
  if (hexAddress(payer.relayer.address) === undefined) problems.add("--from", "has no address", relayerId);
  problems.throwIfAny();
  return payer;
}

async function showTopUps(started: TopUpCall): Promise<View> {
  const { call, typed, payer } = started;
  const planned = await planFor(started);
  const { maxTotal } = typed;
  await call.say("dry run: balances were read, and nothing was sent");
  if (maxTotal !== undefined && planned.file.total > maxTotal)
    await call.say({ note: aboveMost(payer, planned, maxTotal) });
  const stuck = await whyStuck(started);
  if (stuck) await call.say({ note: stuck.message });
  return topUpView(started, planned);
}

function aboveMost({ coin }: Payer, { file }: Planned, maxTotal: bigint): string {
  return `the sum, ${formatAmount(file.total, coin)}, is above --max-total, ${formatAmount(maxTotal, coin)}`;
}

async function topUpAll(started: TopUpCall, lease: Lease, planned: Planned): Promise<View> {
  const { call, typed, payer } = started;
  const { file } = planned;
  if (file.payments.length === 0) return topUpView(started, planned);
  if (typed.maxTotal !== undefined && file.total > typed.maxTotal)
    throw unsentError("declined", aboveMost(payer, planned, typed.maxTotal));
  const stuck = await whyStuck(started);
  if (stuck) throw stuck;
  const { app, argv } = call;
  const resumeLine = repeatedCommand(withoutConsent(argv), [], userShell(app.env));
  const { running, skipped } = await runningFor(started, { lease, planned, resumeLine });
  const paid = await payRows(running);
  const view = topUpView(started, planned, { rows: paid.rows, skipped });
  const names = new Map(planned.topUps.map(({ row, name }) => [row, name]));
  return { ...view, ending: async () => topUpEnding(started, { running, paid, skipped, names }) };
}

interface Outcomes {
  rows?: Rows;
  skipped?: ReadonlySet<number>;
}

function topUpView({ session, payer, typed }: TopUpCall, { topUps }: Planned, outcomes: Outcomes = {}): ListView {
  const { below } = typed.levels;
  const isLow = topUps.some(({ row }) => row !== undefined);
  const none = topUps.length === 0 ? "no relayer to top up" : `no balance is below ${formatAmount(below, payer.coin)}`;
  const counting = topUps.filter(({ balance }) => balance < below).length;
  const words =
    counting > 0
      ? `, counting what may still arrive at ${counting} of ${pluralize(topUps.length, "address", "addresses")}`
      : "";
  return listFrom(session, topUpViewIn(payer.coin), onePageView(topUps.map((topUp) => topUpItem(topUp, outcomes))), {
    chosen: true,
    nothing: null,
    ending: async () => ({ notes: isLow ? [] : [`${none} in ${session.name}${words}; nothing was sent`] }),
  });
}

function topUpItem(topUp: TopUp, { rows, skipped }: Outcomes): JsonObject {
  const { name, address, balance, pending, row, amount } = topUp;
  const isSkipped = row !== undefined && skipped?.has(row) === true;
  const outcome = row === undefined || !rows ? undefined : rowOutcome(rows, row);
  const sent = isSkipped ? 0n : amount;
  const state: TopUpState = isSkipped ? "skipped" : (outcome?.state ?? (row === undefined ? "enough" : "waiting"));
  return {
    ...{ target: name, address, balance: String(balance), pending: String(pending), amount: String(sent) },
    ...{ after: String(balance + pending + sent), state, transaction_id: outcome?.transactionId ?? null },
    ...{ hash: outcome?.hash ?? null, why: outcome?.why ?? null },
  };
}

interface ToppedUp {
  running: Running;
  paid: Paid;
  skipped: ReadonlySet<number>;
  names: ReadonlyMap<number | undefined, string>;
}

function topUpEnding({ call, session, payer }: TopUpCall, { running, paid, skipped, names }: ToppedUp): Ending {
  const { payments } = running.plan.file;
  const due = [...payments].filter(({ row }) => !skipped.has(row));
  const outcomes = due.map(({ row }) => rowOutcome(paid.rows, row));
  const sent = due.filter(({ row }) => paid.rows.get(row).state === "sent");
  const nameOf = (row: number) => names.get(row) ?? `row ${row}`;
  const failure = paymentRunFailure(running, paid, { outcomes, ends: new Map(), cutOff: undefined, nameOf });
  const sum = sent.reduce((total, { value }) => total + value, 0n);
  const counts = `${groupDigits(sent.length)} of ${pluralize(due.length, "top-up")}`;
  const { run } = paid;
  if (run === undefined || sent.length === 0) return { failure };
  const show = historyCommand(call.flags.state, session.flags, ["history", "show", run]);
  return {
    receipt: [{ done: `accepted in ${session.name}: ${counts}, ${formatAmount(sum, payer.coin)}` }, `run ${run}`],
    next: failure ? [] : [{ follow: show }],
    failure,
  };
}
