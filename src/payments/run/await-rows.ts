import { follow } from "../../chain/follow/follow.ts";
import { createFollowed, type Standing, type Target } from "../../chain/follow/followed.ts";
import { versionOf } from "../../chain/verdict/version.ts";
import type { Client } from "../../client/client.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import { isFinal, statusOf } from "../../contract/transaction/transaction-state.ts";
import { RelayctlError } from "../../errors.ts";
import { DEFAULT_TIMEOUT, FOLLOW_DEADLINE, PAYMENT_INTERVALS } from "../../timing.ts";
import type { Payment } from "../payment.ts";
import type { PaymentWorld } from "./payment-world.ts";
import type { RunPlan } from "./plan.ts";

/** What to wait for. */
type WaitPlan = NonNullable<RunPlan["wait"]>;

/** A payment whose transaction is awaited. */
export interface Awaited {
  payment: Payment;
  transactionId: string;
}

/** The most transactions that are followed together: all of them are asked about at the chain. */
const AT_ONCE = 64;

/**
 * Waits until the transactions of payments have ended. The list shows which of them may have; the chain, which is asked as
 * `tx wait` asks it, decides.
 * @param settled called with where each stands, once it has ended, or the time has run out
 * @throws RelayctlError interrupted; any failure that does not pass
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
  const counts = { doing: "waiting", of: open.size, done: 0, failed: 0, since: started };
  const note = (standing: Standing) => {
    const found = open.get(standing.id);
    if (!found) return;
    open.delete(standing.id);
    if (standing.end === "reached") counts.done++;
    else counts.failed++;
    settled(found.payment, standing);
  };
  const followNow = async (targets: readonly Target[]) => {
    const request = {
      ...{ client, targets, goal: plan.goal, usesChain: plan.usesChain, clock, interrupt, remaining },
      ownNode: world.ownNode,
      ...(world.abis && { abis: world.abis }),
    };
    let standings: readonly Standing[] = [];
    for await (const found of follow(request)) standings = found;
    for (const standing of standings) note(standing);
  };
  world.count(counts);
  try {
    let interval: number = PAYMENT_INTERVALS.first;
    while (open.size > 0 && remaining() > 0) {
      const { ready, gone } = await endedRecords(client, relayerId, { open, mayEnd: (record) => mayEnd(record, plan) });
      for (const id of gone) note({ ...createFollowed({ relayerId, id }).standing, end: "gone" });
      for (let from = 0; from < ready.length; from += AT_ONCE)
        await followNow(ready.slice(from, from + AT_ONCE).map((record) => targetOf(relayerId, record, open)));
      if (open.size === 0) break;
      if (interrupt.aborted) throw new RelayctlError("interrupted", "the wait was interrupted");
      await clock.sleep(Math.max(0, Math.min(interval, remaining())), interrupt);
      interval = Math.min(interval * 2, PAYMENT_INTERVALS.longest);
    }
    for (const { transactionId: id } of [...open.values()])
      note({ ...createFollowed({ relayerId, id }).standing, end: "pending" });
  } finally {
    world.count(undefined);
  }
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

/** The most records that are read one by one in a round: those that a list does not have any more. */
const MOST_SINGLE = 16;

/** The records of transactions that may have ended, and the transactions that the service no longer has. */
interface EndedRecords {
  ready: Transaction[];
  gone: string[];
}

/** Reads the records of open transactions. What fails for now is read again in the next round. */
async function endedRecords(
  client: Client,
  relayerId: string,
  { open, mayEnd }: { open: ReadonlyMap<string, Awaited>; mayEnd(record: Transaction): boolean },
): Promise<EndedRecords> {
  let found = new Map<string, Transaction>();
  const gone: string[] = [];
  try {
    found = await listedRecords(client, relayerId, open);
    const missing = [...open.keys()].filter((id) => !found.has(id));
    for (const id of missing.slice(0, MOST_SINGLE)) {
      const record = await recordOf(client, relayerId, id);
      if (record) found.set(id, record);
      else gone.push(id);
    }
  } catch (error) {
    if (!(error instanceof RelayctlError) || !error.retryable) throw error;
  }
  return { ready: [...found.values()].filter(mayEnd), gone };
}

async function listedRecords(
  client: Client,
  relayerId: string,
  open: ReadonlyMap<string, Awaited>,
): Promise<Map<string, Transaction>> {
  const found = new Map<string, Transaction>();
  for await (const { items } of client.tx.list(relayerId, { concurrency: 1 })) {
    for (const item of items as readonly Transaction[]) if (open.has(item.id)) found.set(item.id, item);
    if (found.size === open.size) break;
  }
  return found;
}

async function recordOf(client: Client, relayerId: string, id: string): Promise<Transaction | undefined> {
  try {
    return (await client.tx.get(relayerId, id)).data;
  } catch (error) {
    if (error instanceof RelayctlError && error.failure === "not_found") return undefined;
    throw error;
  }
}
