import { USUAL_CONCURRENCY } from "../../../client/bulk/bounds.ts";
import { refuseUnsigned } from "../../../client/needs-signature.ts";
import { apiRequest } from "../../../client/request.ts";
import { askQuestion, checkConsent } from "../../../command-support/consent/consent.ts";
import { questionIn } from "../../../command-support/consent/write-consent.ts";
import { writeLines } from "../../../command-support/prepared-write.ts";
import { formatAmount, typedAmount } from "../../../contract/amount.ts";
import { counted } from "../../../contract/decimal.ts";
import { RelayctlError, usageError } from "../../../errors.ts";
import type { Lease } from "../../../journal/journal.ts";
import type { PaymentWorld } from "../../../payments/run/payment-world.ts";
import { type AskedPayments, type Payer, USUAL_FAILURES } from "../../../payments/run/plan.ts";
import type { Running } from "../../../payments/run/running.ts";
import { type ChainNow, readChainNow } from "../../../payments/top-up/chain-now.ts";
import { openPurse, type Purse } from "../../../payments/top-up/purse.ts";
import { AS_TOP_UP, type TopUp } from "../../../payments/top-up/top-up.ts";
import type { Session } from "../../../session/session.ts";
import { aligned } from "../../../terminal/width.ts";
import type { Call } from "../../command.ts";
import { exceededBy } from "../send-many/payer.ts";
import { commandWorld } from "../send-many/run-payments.ts";
import { type Planned, purseAddress, RESERVE } from "./plan-top-ups.ts";
import type { TopUpCall } from "./typed-top-up.ts";

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
  const journal = await session.journal();
  if (!journal) throw usageError([{ where: "topup", rule: "needs a journal" }]);
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
  if (checkConsent({ ...call, argv: [...argv, ...most] }, question) === "given") await writeLines(call, lines);
  else await askQuestion(call, question, lines);
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
