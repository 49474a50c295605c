import { follow } from "../../chain/follow/follow.ts";
import { createFollowed, type Standing, type Target } from "../../chain/follow/followed.ts";
import { createPace } from "../../chain/follow/pace.ts";
import { versionOf } from "../../chain/verdict/version.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import { isFinal, statusOf } from "../../contract/transaction/transaction-state.ts";
import { RelayctlError } from "../../errors.ts";
import { DEFAULT_TIMEOUT, FOLLOW_DEADLINE, PAYMENT_TURN, REQUEST_SPACING } from "../../timing.ts";
import type { Payment } from "../payment.ts";
import { createRounds } from "./ended-records.ts";
import type { PaymentWorld } from "./payment-world.ts";
import type { RunPlan } from "./plan.ts";

type WaitPlan = NonNullable<RunPlan["wait"]>;

/** A payment whose transaction is awaited. */
export interface Awaited {
  payment: Payment;
  transactionId: string;
}

/** The most transactions that are followed together, and the most such groups at the same time. */
const [TOGETHER, GROUPS] = [64, 4];

/**
 * Waits until the transactions of payments have ended. The list shows which of them may have; the chain, which is asked
 * about those as `tx wait` asks it, decides. One that the chain does not decide for now gives way to the others.
 * @param settled called with where each stands, once it has ended, or the time has run out
 * @throws RelayctlError interrupted; any failure that a later read cannot overcome
 */
export async function awaitRows(
  world: PaymentWorld,
  { relayerId, plan, awaited }: { relayerId: string; plan: WaitPlan; awaited: readonly Awaited[] },
  settled: (payment: Payment, standing: Standing) => void,
): Promise<void> {
  const { clock, interrupt } = world;
  const started = clock.elapsed();
  const remaining = world.remaining ?? (() => FOLLOW_DEADLINE - (clock.elapsed() - started));
  const client = world.briefly(DEFAULT_TIMEOUT);
  const open = new Map(awaited.map((each) => [each.transactionId, each]));
  const turns = new Map<string, number>();
  const counts = { doing: "waiting", of: open.size, done: 0, failed: 0, since: started };
  const note = (standing: Standing) => {
    const found = open.get(standing.id);
    if (!found) return;
    open.delete(standing.id);
    if (standing.end === "reached") counts.done++;
    else counts.failed++;
    settled(found.payment, standing);
  };

  const followGroup = async (records: readonly Transaction[]) => {
    const turnEnds = clock.elapsed() + PAYMENT_TURN;
    const request = {
      ...{ client, goal: plan.goal, usesChain: plan.usesChain, clock, interrupt },
      targets: records.map((record) => targetOf(relayerId, record, open)),
      remaining: () => Math.min(remaining(), turnEnds - clock.elapsed()),
      ownNode: world.ownNode,
      ...(world.abis && { abis: world.abis }),
    };
    let standings: readonly Standing[] = [];
    for await (const found of follow(request)) standings = found;
    for (const standing of standings) {
      if (standing.end === "pending" && remaining() > 0) turns.set(standing.id, (turns.get(standing.id) ?? 0) + 1);
      else note(standing);
    }
  };

  const followAll = async (ready: readonly Transaction[]) => {
    const turnOf = ({ id }: Transaction) => turns.get(id) ?? 0;
    const groups = inGroups([...ready].sort((one, other) => turnOf(one) - turnOf(other))).values();
    const work = async () => {
      for (const group of groups) if (remaining() > 0 && !interrupt.aborted) await followGroup(group);
    };
    await Promise.all(Array.from({ length: GROUPS }, work));
  };

  const pace = createPace(clock);
  const readRound = createRounds({ client, relayerId, mayEnd: (record) => mayEnd(record, plan) });
  world.count(counts);
  try {
    while (open.size > 0 && remaining() > 0) {
      const { ready, gone, wasLimited, requests } = await readRound(open);
      for (const id of gone) note({ ...createFollowed({ relayerId, id }).standing, end: "gone" });
      await followAll(ready);
      if (open.size === 0) break;
      if (interrupt.aborted) throw new RelayctlError("interrupted", "the wait was interrupted");
      const pause = Math.max(pace(wasLimited), requests * REQUEST_SPACING);
      await clock.sleep(Math.max(0, Math.min(pause, remaining())), interrupt);
    }
    for (const { transactionId: id } of [...open.values()])
      note({ ...createFollowed({ relayerId, id }).standing, end: "pending" });
  } finally {
    world.count(undefined);
  }
}

function inGroups(records: readonly Transaction[]): Transaction[][] {
  return Array.from({ length: Math.ceil(records.length / TOGETHER) }, (_, group) =>
    records.slice(group * TOGETHER, (group + 1) * TOGETHER),
  );
}

function targetOf(relayerId: string, record: Transaction, open: ReadonlyMap<string, Awaited>): Target {
  const payment = open.get(record.id)?.payment;
  const wanted = payment && versionOf({ to: payment.to, value: payment.value, data: payment.data ?? null });
  return { relayerId, id: record.id, records: [record], wanted };
}

/** Returns whether a record shows that its transaction may have reached what is waited for, or never will. */
function mayEnd(record: Transaction, { goal }: WaitPlan): boolean {
  const status = statusOf(record);
  if (isFinal(status)) return true;
  if (goal.until === "mined") return status === "mined";
  return goal.until === "broadcast" && ["submitted", "mined"].includes(status);
}
