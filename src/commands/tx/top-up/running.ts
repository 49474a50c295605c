import { addressOf } from "../../../chain/evm/quantity.ts";
import { type Chain, openChain } from "../../../chain/open-chain.ts";
import { USUAL_CONCURRENCY } from "../../../client/bulk/bounds.ts";
import { refuseUnsigned } from "../../../client/needs-signature.ts";
import { apiRequest } from "../../../client/request.ts";
import { runWorkers } from "../../../client/run-workers.ts";
import { askShowing, questionIn } from "../../../command-support/consent/consent.ts";
import { formatAmount, typedAmount, wireAmount } from "../../../contract/amount.ts";
import { counted } from "../../../contract/decimal.ts";
import { isJsonObject } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { isPending } from "../../../contract/transaction/transaction-state.ts";
import { RelayctlError, unsent } from "../../../errors.ts";
import type { Lease } from "../../../journal/journal.ts";
import { feeOf } from "../../../limits/fee.ts";
import { type AskedPayments, type Payer, USUAL_FAILURES } from "../../../payments/run/plan.ts";
import type { PaymentWorld, Running } from "../../../payments/run/running.ts";
import { type ChainNow, openPurse, type Purse, readChainNow } from "../../../payments/top-up/purse.ts";
import {
  AS_TOP_UP,
  paymentsFor,
  planTopUps,
  type Target,
  type TopUp,
  targetsIn,
} from "../../../payments/top-up/top-up.ts";
import { readUnshown } from "../../../payments/top-up/unshown.ts";
import { requireJournal } from "../../../session/journaling/session-journal.ts";
import { listed } from "../../../session/listed.ts";
import type { Session } from "../../../session/session.ts";
import { aligned } from "../../../terminal/width.ts";
import type { Call } from "../../command.ts";
import { exceededBy } from "../send-many/consent.ts";
import { commandWorld } from "../send-many/run-payments.ts";
import { diagnoseRelayer, nextCommand } from "../stuck/list-stuck.ts";
import { readPending } from "../stuck/stuck-ahead.ts";
import type { TopUpCall } from "./typed-top-up.ts";

/** Amounts are in wei: `price` per gas, about, and `least` stays in the purse; `readMoving` reads again what is on its way. */
export type Planned = Awaited<ReturnType<typeof planFor>>;

/** The factor by which the price of gas may rise before a payment is mined. */
const RESERVE = 2n;

export async function planFor(started: TopUpCall) {
  const { call, session, typed, payer } = started;
  const { client } = session;
  const { relayer: purse } = payer;
  const { relayerId, nodeUrl: url, speed, levels } = typed;
  const ownNode = (network: string | undefined) => session.ownNode(network, { url });
  const relayers = await listed<Relayer>(client.relayers.list());
  const { targets, notes } = targetsIn(relayers, purse, typed.targets);
  for (const note of notes) await call.say(note);
  const chain = await openChain({ client, relayerId, relayer: purse, ownNode });
  const price = await readPrice(started, chain);
  const addresses = new Set(targets.map(({ address }) => address));
  const journals = [await session.journal(), await session.usualJournal()].flatMap((each) => each ?? []);
  const now = () => call.app.clock.now();
  const world = { client, ownNode, journals, now, server: session.origin, records: session.reach === "all" };
  const readMoving = (at: ChainNow) => readUnshown(world, { purse, relayers, at, addresses, price: RESERVE * price });
  const at = await readChainNow(chain.node);
  const { to } = await readMoving(at);
  const balances = await readBalances(at, targets);
  const holdings = targets.map((target) => {
    const { address } = target;
    return { ...target, balance: balances.get(address) ?? 0n, pending: to.get(address) ?? 0n };
  });
  const topUps = planTopUps(holdings, levels);
  const { policies } = purse;
  const least = (isJsonObject(policies) ? wireAmount(policies.min_balance) : undefined) ?? 0n;
  return { topUps, file: paymentsFor(topUps, speed), chain, price, least, readMoving };
}

async function readBalances(at: ChainNow, targets: readonly Target[]): Promise<ReadonlyMap<string, bigint>> {
  const balances = new Map<string, bigint>();
  const unread = targets.values();
  const work = async () => {
    for (const { address } of unread) balances.set(address, await at.balanceOf(address));
  };
  await runWorkers(USUAL_CONCURRENCY, work, () => unread.return?.());
  return balances;
}

export async function whyStuck({ call, session, payer, typed }: TopUpCall): Promise<RelayctlError | undefined> {
  const { id } = payer.relayer;
  const records = await readPending(session.client, id);
  if (!records.some(isPending)) return undefined;
  const ownNode = (network: string | undefined) => session.ownNode(network, { url: typed.nodeUrl });
  const source = { session: { client: session.client, ownNode }, relayerId: id, now: call.app.clock.now() };
  const { diagnosis } = await diagnoseRelayer(source, async (isWanted) => records.filter(isWanted));
  if (diagnosis.isStuck !== true) return undefined;
  return new RelayctlError("conflict", `the queue of ${id} is stuck: ${diagnosis.findings[0]?.message ?? ""}`, {
    because: ["nothing was sent: a new payment would wait for the stuck transaction"],
    hint: nextCommand(diagnosis, { id, flags: session.flags }) ?? "",
    retryable: false,
  });
}

async function readPrice({ typed: { speed }, payer }: TopUpCall, { node }: Chain): Promise<bigint> {
  const fee = await feeOf({ kind: "evm", body: { speed, gas_limit: 1 }, relayer: payer.relayer, node });
  if (fee) return fee.amount;
  throw unsent("server", `${node.name} does not return the price of gas`);
}

function purseAddress({ payer }: TopUpCall): string {
  return addressOf(payer.relayer.address) ?? "";
}

interface Begun {
  lease: Lease;
  planned: Planned;
  /** What tops up again, for hints. */
  resumeLine: string;
}

export async function runningFor(
  started: TopUpCall,
  { lease, planned, resumeLine }: Begun,
): Promise<{ running: Running; skipped: ReadonlySet<number> }> {
  const { session, typed, payer } = started;
  const { relayerId } = typed;
  const skipped = new Set<number>();
  const running: Running = {
    world: await worldFor(started, planned, skipped),
    lease,
    payerId: { server: session.origin, relayerId },
    payer,
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
  /** What is on its way to each address. */
  pending: ReadonlyMap<string, bigint>;
  /** What each row takes from the purse at most. */
  costs: ReadonlyMap<number, bigint>;
}

async function worldFor(started: TopUpCall, planned: Planned, skipped: Set<number>): Promise<PaymentWorld> {
  const { call, session, typed, payer } = started;
  const { coin } = payer;
  const { chain, least, readMoving, topUps } = planned;
  const journal = await requireJournal(session, "topup");
  const address = purseAddress(started);
  const readChain = () => readChainNow(chain.node);
  let agreed: Agreed | undefined;
  const consent = async (_: unknown, __: unknown, asked: AskedPayments, lost: readonly string[]) => {
    await agree(started, planned, asked, lost);
    // A user may take hours to answer.
    const { to: pending, outgoing } = await readMoving(await readChain());
    const readOutgoing = async (at: ChainNow) => (await readMoving(at)).outgoing;
    const purse = openPurse({ readChain, readOutgoing, address, least }, outgoing);
    agreed = { purse, pending, costs: costsOf(planned, asked) };
  };
  const world = commandWorld(call, session, typed, { journal, usualJournal: await session.usualJournal(), consent });
  return {
    ...world,
    spelling: AS_TOP_UP,
    balance: async () => (await readChain()).balanceOf(address),
    // No file is compared with them.
    begin: ({ content, first, ...payments }, resumed) => world.begin(payments, resumed),
    async beforeRow(row) {
      const topUp = topUps.find((each) => each.row === row);
      if (!agreed || !topUp) throw new RelayctlError("internal", `top-up ${row} is not agreed to`);
      const has = (await (await readChain()).balanceOf(topUp.address)) + (agreed.pending.get(topUp.address) ?? 0n);
      if (has >= typed.levels.below) {
        skipped.add(row);
        const why = `${topUp.name} has ${formatAmount(has, coin)} now`;
        await call.say(`note: ${why}, and is skipped`);
        throw new RelayctlError("unmet", why);
      }
      if (!(await agreed.purse.reserve(agreed.costs.get(row) ?? 0n))) throw tooLow(started, least);
    },
  };
}

async function agree(started: TopUpCall, planned: Planned, asked: AskedPayments, lost: readonly string[]) {
  const { call, session } = started;
  const { chain, least, readMoving, topUps } = planned;
  const at = await readChainNow(chain.node);
  const free = (await at.balanceOf(purseAddress(started))) - (await readMoving(at)).outgoing;
  let cost = 0n;
  for (const each of costsOf(planned, asked).values()) cost += each;
  if (free - cost < least) throw tooLow(started, least, { free, cost });
  const fees = (cost - asked.sum) / RESERVE;
  await consentToTopUp(call, session, { ...asked, topUps, free, least, fees }, lost);
}

function costsOf({ price }: Planned, { payments, gas }: Pick<AskedPayments, "payments" | "gas">) {
  return new Map(
    Array.from(payments, ({ row, value }, index) => [row, value + RESERVE * price * BigInt(gas[index] ?? 0)]),
  );
}

function tooLow({ payer: { relayer, coin } }: TopUpCall, least: bigint, found?: { free: bigint; cost: bigint }) {
  const keeps = least === 0n ? "" : ` and keep its minimum of ${formatAmount(least, coin)}`;
  const lines = found
    ? [
        `its pending transactions leave ${formatAmount(found.free, coin)}, and this takes up to ${formatAmount(found.cost, coin)} with fees`,
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
  /** All fees together, about. */
  fees: bigint;
  /** What the purse has, without what is on its way out of it. */
  free: bigint;
  /** What stays in it in any case. */
  least: bigint;
}

async function consentToTopUp(call: Call, session: Session, asked: Asked, lost: readonly string[]): Promise<void> {
  const { payer, topUps, sum } = asked;
  const names = new Map(topUps.map(({ row, name }) => [`row ${row}`, name]));
  const beyond = (await exceededBy(call, session, payer, asked)).map((line) =>
    line.replace(/^row \d+/, (row) => names.get(row) ?? row),
  );
  const risks = [...lost, ...beyond];
  refuseUnsigned(apiRequest("tx.send", { relayer_id: payer.relayer.id }), session.approvers);
  await session.requireReason();
  const title = `send ${formatAmount(sum, payer.coin)} from ${payer.relayer.id} in ${counted(asked.payments.length, "top-up")}`;
  const lines = [`${title} in ${session.name}`, ...topUpLines(topUps, payer), ...purseLines(asked), ...risks];
  const isNamed = session.protected || risks.length > 0;
  const question = {
    question: questionIn(session, title),
    act: "topping up",
    sort: isNamed ? { type: session.name } : ("yes" as const),
    risks,
  };
  const { argv } = call;
  const most = argv.some((word) => /^--max-total(=|$)/.test(word)) ? [] : ["--max-total", typedAmount(sum, payer.coin)];
  await askShowing({ ...call, argv: [...argv, ...most] }, question, lines);
}

function topUpLines(topUps: readonly TopUp[], { coin }: Pick<Payer, "coin">): string[] {
  const shown = (amount: bigint) => formatAmount(amount, coin);
  const rows = topUps.flatMap(({ row, name, balance, pending, amount }) =>
    row === undefined
      ? []
      : [[`  ${name}`, shown(balance), shown(pending), shown(amount), shown(balance + pending + amount)]],
  );
  return aligned([["  TARGET", "BALANCE", "PENDING", "AMOUNT", "AFTER"], ...rows]);
}

function purseLines({ payer: { relayer, coin }, sum, fees, free, least }: Asked): string[] {
  const left = `${formatAmount(free, coin)} → about ${formatAmount(free - sum - fees, coin)}`;
  return aligned([
    ["  fees", `about ${formatAmount(fees, coin)}`],
    [`  ${relayer.id}`, least === 0n ? left : `${left}; it keeps at least ${formatAmount(least, coin)}`],
  ]);
}
