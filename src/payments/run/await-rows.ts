import { follow } from "../../chain/follow/follow.ts";
import type { Recalled } from "../../chain/follow/follow-request.ts";
import { createFollowed, type Standing, type Target } from "../../chain/follow/followed.ts";
import { createPace } from "../../chain/follow/pace.ts";
import { isNotFound } from "../../chain/follow/read-records.ts";
import { versionOf } from "../../chain/verdict/version.ts";
import type { Client } from "../../client/client.ts";
import { wireAmount } from "../../contract/amount.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import { isFinal, phasesText, statusOf } from "../../contract/transaction/transaction-state.ts";
import { RelayctlError } from "../../errors.ts";
import { createRecall } from "../../recovery/recall.ts";
import { DEFAULT_TIMEOUT, FOLLOW_DEADLINE, PAYMENT_TURN, REQUEST_SPACING } from "../../timing.ts";
import type { Payment } from "../payment.ts";
import type { PayerId, RunPlan } from "./plan.ts";
import { createRepeatSearch } from "./repeat-search.ts";
import type { Awaited, PaymentWorld } from "./running.ts";

interface Round {
  /** The records of transactions that may have ended. */
  ready: Transaction[];
  /** The transactions that the service no longer has. */
  gone: string[];
  wasLimited: boolean;
  requests: number;
}

interface RecordReads {
  client: Client;
  relayerId: string;
  mayEnd(record: Transaction): boolean;
  /** Called with every record that is read. */
  seen(record: Transaction): void;
}

/** The most records that are read one by one in a round, since the list lacks them. */
const MOST_SINGLE = 64;

/**
 * Returns a function that reads the records of open transactions, a round at a time. The list is sorted newest first, and is
 * read down to the oldest of them. A transaction that the whole list lacks is then read by itself: otherwise, a list as long
 * as the relayer's life would be read in each round. A temporary failure is read again in the next round, after what was not
 * read yet.
 */
function createRounds({ client, relayerId, mayEnd, seen }: RecordReads) {
  /** The open transactions that the list lacks, the least recently read first. */
  const unlisted = new Set<string>();

  return async (open: ReadonlyMap<string, unknown>): Promise<Round> => {
    const round: Round = { ready: [], gone: [], wasLimited: false, requests: 0 };
    for (const id of unlisted) if (!open.has(id)) unlisted.delete(id);
    const listed = new Set([...open.keys()].filter((id) => !unlisted.has(id)));
    try {
      if (listed.size > 0) await readList(round, listed);
      await readSingles(round);
    } catch (error) {
      if (!(error instanceof RelayctlError) || !error.retryable) throw error;
      round.wasLimited = error.failure === "rate_limited";
    }
    return round;
  };

  async function readList(round: Round, left: Set<string>): Promise<void> {
    const note = (item: Transaction) => {
      seen(item);
      if (left.delete(item.id) && mayEnd(item)) round.ready.push(item);
    };
    for await (const { items } of client.tx.list(relayerId, { concurrency: 1 })) {
      round.requests++;
      items.forEach(note);
      if (left.size === 0) return;
    }
    for (const id of left) unlisted.add(id);
  }

  async function readSingles(round: Round): Promise<void> {
    for (const id of [...unlisted].slice(0, MOST_SINGLE)) {
      round.requests++;
      const record = await readRecord(id);
      unlisted.delete(id);
      unlisted.add(id);
      if (!record) round.gone.push(id);
      else seen(record);
      if (record && mayEnd(record)) round.ready.push(record);
    }
  }

  async function readRecord(id: string): Promise<Transaction | undefined> {
    try {
      return (await client.tx.get(relayerId, id)).data;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}

type WaitPlan = NonNullable<RunPlan["wait"]>;

/** The fewest and the most transactions that are followed together, and the most such groups at a time. */
const [FEWEST, TOGETHER, GROUPS] = [8, 64, 4];

interface Ends {
  /** Called with where each payment stands, once it has ended, or the time has run out. */
  settled(payment: Payment, standing: Standing): void;
  /** Called with a transaction that repeats a payment. */
  repeated(payment: Payment, transactionId: string): void;
}

/**
 * Waits until the transactions of payments have ended. The list shows which of them may have; the chain decides, as it
 * does for `tx wait`. A payment that the chain does not decide for now gives way to the others.
 * @throws RelayctlError interrupted; any failure that a later read can't overcome
 */
export async function awaitRows(
  world: PaymentWorld,
  { payerId, plan, awaited }: { payerId: PayerId; plan: WaitPlan; awaited: readonly Awaited[] },
  { settled, repeated }: Ends,
): Promise<void> {
  const { clock, interrupt } = world;
  const started = clock.elapsed();
  const remaining = world.remaining ?? (() => FOLLOW_DEADLINE - (clock.elapsed() - started));
  const { relayerId, server } = payerId;
  const client = world.briefly(DEFAULT_TIMEOUT);
  const recall = createRecall({ ...world, client, server, now: () => clock.now(), usesChain: plan.usesChain });
  const open = new Map(awaited.map((each) => [each.transactionId, each]));
  const turns = new Map<string, number>();
  const counts = { doing: "waiting", of: open.size, done: 0, failed: 0, since: started, phases: "" };
  const statuses = new Map<string, string>();
  const versions = new Map<string, Transaction>();
  const findRepeat = createRepeatSearch(awaited);
  const note = (standing: Standing) => {
    const found = open.get(standing.id);
    if (!found) return;
    open.delete(standing.id);
    versions.delete(standing.id);
    if (standing.end === "reached") counts.done++;
    else counts.failed++;
    settled(found.payment, standing);
  };

  const followGroup = async (targets: readonly Target[]) => {
    const turnEnds = clock.elapsed() + PAYMENT_TURN;
    const request = {
      ...{ client, goal: plan.goal, usesChain: plan.usesChain, clock, interrupt, targets, remaining },
      ownNode: world.ownNode,
      ...(world.abis && { abis: world.abis }),
    };
    let standings: readonly Standing[] = [];
    // A service may be too slow to be asked about each of them within the turn: all are asked once.
    for await (const found of follow(request)) {
      standings = found;
      if (clock.elapsed() >= turnEnds) break;
    }
    for (const standing of standings) {
      const isOpen = standing.end === undefined || standing.end === "pending";
      if (isOpen && remaining() > 0) turns.set(standing.id, (turns.get(standing.id) ?? 0) + 1);
      else note(standing);
    }
  };

  const followAll = async (ready: readonly Target[]) => {
    const computeTurn = ({ id }: Target) => turns.get(id) ?? 0;
    const groups = inGroups([...ready].sort((one, other) => computeTurn(one) - computeTurn(other))).values();
    const work = async () => {
      for (const group of groups) if (remaining() > 0 && !interrupt.aborted) await followGroup(group);
    };
    await Promise.all(Array.from({ length: GROUPS }, work));
  };

  /** Returns the transactions without a record that the chain can be asked about. The others are over, or asked about later. */
  const recallAll = async (gone: readonly string[]) => {
    const recalled = gone.length === 0 ? new Map() : await recall(relayerId, gone);
    return gone.flatMap((id): Target[] => {
      const { records = [], isPartial }: Partial<Recalled> = recalled.get(id) ?? {};
      if (records.length === 0) note({ ...createFollowed({ relayerId, id }).standing, end: "gone" });
      return records.length === 0 || isPartial ? [] : [{ ...buildTarget(relayerId, id, records, open), isGone: true }];
    });
  };

  const pace = createPace(clock);
  const readRound = createRounds({
    ...{ client, relayerId, mayEnd: (record) => mayEnd(record, plan) },
    seen(record) {
      const repeat = findRepeat(record);
      if (repeat) repeated(repeat.payment, repeat.transactionId);
      if (!open.has(record.id)) return;
      statuses.set(record.id, statusOf(record));
      if (record.hash && !versions.has(record.id)) versions.set(record.id, record);
    },
  });
  world.count(counts);
  try {
    while (open.size > 0 && remaining() > 0) {
      const { ready, gone, wasLimited, requests } = await readRound(open);
      counts.phases = phasesText([...open.keys()].flatMap((id) => statuses.get(id) ?? []));
      // A record that was sent with two nonces shows the second one at last.
      const there = ready.map((record) => {
        const first = versions.get(record.id) ?? record;
        const records = wireAmount(first.nonce) === wireAmount(record.nonce) ? [record] : [first, record];
        return buildTarget(relayerId, record.id, records, open);
      });
      await followAll([...there, ...(await recallAll(gone))]);
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

function inGroups(targets: readonly Target[]): Target[][] {
  const size = Math.min(TOGETHER, Math.max(FEWEST, Math.ceil(targets.length / GROUPS)));
  return Array.from({ length: Math.ceil(targets.length / size) }, (_, group) =>
    targets.slice(group * size, (group + 1) * size),
  );
}

function buildTarget(
  relayerId: string,
  id: string,
  records: readonly Transaction[],
  open: ReadonlyMap<string, Awaited>,
): Target {
  const payment = open.get(id)?.payment;
  const wanted = payment && versionOf({ to: payment.to, value: payment.value, data: payment.data ?? null });
  return { relayerId, id, records, wanted };
}

function mayEnd(record: Transaction, { goal }: WaitPlan): boolean {
  const status = statusOf(record);
  if (isFinal(status)) return true;
  if (goal.until === "mined") return status === "mined";
  return goal.until === "broadcast" && ["submitted", "mined"].includes(status);
}
