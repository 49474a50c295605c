import { USUAL_CONCURRENCY } from "../../../client/bulk/bounds.ts";
import { formatAmount } from "../../../contract/amount.ts";
import { RelayctlError, usageError } from "../../../errors.ts";
import type { Lease } from "../../../journal/journal.ts";
import type { PaymentWorld } from "../../../payments/run/payment-world.ts";
import { type AskedPayments, USUAL_FAILURES } from "../../../payments/run/plan.ts";
import type { Running } from "../../../payments/run/running.ts";
import { type ChainNow, readChainNow } from "../../../payments/top-up/chain-now.ts";
import { openPurse, type Purse } from "../../../payments/top-up/purse.ts";
import { AS_TOP_UP } from "../../../payments/top-up/top-up.ts";
import { commandWorld } from "../send-many/run-payments.ts";
import { consentToTopUp } from "./consent.ts";
import { type Planned, purseAddress, RESERVE } from "./plan-top-ups.ts";
import type { TopUpCall } from "./typed-top-up.ts";

interface Begun {
  lease: Lease;
  planned: Planned;
  /** What tops up again, for hints. */
  resumeLine: string;
}

/** Returns a run of payments that reads each balance again, and the rows that it then skips. */
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

/** What is known once the user agreed. */
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

/** Asks for the payments if the purse can pay them. @throws RelayctlError conflict, declined */
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
