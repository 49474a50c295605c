import { hexHash } from "../../chain/evm/quantity.ts";
import { followTransactions } from "../../chain/follow/follow.ts";
import type { Recalled } from "../../chain/follow/follow-request.ts";
import { createFollowed, type Standing, type Target } from "../../chain/follow/followed.ts";
import { createPace } from "../../chain/follow/pace.ts";
import { isRecordMissing } from "../../chain/follow/read-records.ts";
import { verdictVersion } from "../../chain/verdict/verdict.ts";
import type { Client } from "../../client/client.ts";
import { wireAmount } from "../../contract/amount.ts";
import {
  isFinal,
  phasesText,
  type Transaction,
  transactionPaysNothing,
  txStatus,
} from "../../contract/transaction/transaction.ts";
import { RelayctlError } from "../../errors.ts";
import { createdTime } from "../../journal/created-in-time.ts";
import { lostSendShape } from "../../recovery/lost-send.ts";
import { createRecall } from "../../recovery/recall.ts";
import { DEFAULT_TIMEOUT, FOLLOW_DEADLINE, PAYMENT_TURN, REQUEST_SPACING } from "../../timing.ts";
import type { Payment } from "../payment.ts";
import type { Awaited, PayerId, PaymentWorld, RunPlan } from "./running.ts";

/** Milliseconds within which two equal transactions may be one payment, as in an audit. */
const HOUR = 3_600_000;

interface Alike {
  own?: Awaited & { created: number | undefined };
  /** When the others were created, by ID. */
  others: Map<string, number | undefined>;
}

/** Finds e.g. what a proxy delivered twice. Two payments of a file have different gas limits. */
function createRepeatSearch(awaited: readonly Awaited[]): (record: Transaction) => Awaited | undefined {
  const owns = new Map(awaited.map((each) => [each.transactionId, each]));
  const receivers = new Set(awaited.map(({ payment }) => payment.to.toLowerCase()));
  const found = new Map<string, Alike>();
  const told = new Set<string>();
  return (record) => {
    const { id } = record;
    const { content, gas } = lostSendShape(record) ?? {};
    if (gas === undefined || !receivers.has(String(record.to).toLowerCase())) return undefined;
    const alike: Alike = found.get(`${content} ${gas}`) ?? { others: new Map() };
    found.set(`${content} ${gas}`, alike);
    const [own, created] = [owns.get(id), createdTime(record.created_at)];
    if (own) alike.own = { ...own, created };
    else if (!transactionPaysNothing(record) && !told.has(id)) alike.others.set(id, created);
    const [repeat] = [...alike.others].find(([, time]) => alike.own && isSoon(time, alike.own.created)) ?? [];
    if (!alike.own || repeat === undefined) return undefined;
    told.add(repeat);
    alike.others.delete(repeat);
    return { payment: alike.own.payment, transactionId: repeat };
  };
}

function isSoon(one: number | undefined, other: number | undefined): boolean {
  return Math.abs((one ?? 0) - (other ?? one ?? 0)) < HOUR;
}

interface Round {
  /** The records of transactions that may have ended. */
  ready: Transaction[];
  gone: string[];
  wasLimited: boolean;
  requests: number;
}

interface RecordReads {
  client: Client;
  relayerId: string;
  mayEnd(record: Transaction): boolean;
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
    // The service knows no transaction by its hash.
    round.gone.push(...[...open.keys()].filter(hexHash));
    const listed = new Set([...open.keys()].filter((id) => !unlisted.has(id) && !hexHash(id)));
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
      if (isRecordMissing(error)) return undefined;
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
  repeated(payment: Payment, transactionId: string): void;
}

/**
 * Waits until the transactions of payments have ended. The list shows which of them may have; the chain decides, as it
 * does for `tx wait`. A payment that the chain does not decide for now gives way to the others.
 * @throws RelayctlError interrupted; any failure that a later read can't overcome
 */
export async function awaitRows(world: PaymentWorld, wait: RowsToAwait, ends: Ends): Promise<void> {
  await new RowWait(world, wait, ends).untilEnded();
}

interface RowsToAwait {
  payerId: PayerId;
  plan: WaitPlan;
  awaited: readonly Awaited[];
}

class RowWait {
  readonly #world: PaymentWorld;
  readonly #plan: WaitPlan;
  readonly #relayerId: string;
  readonly #ends: Ends;
  readonly #client: Client;
  readonly #remaining: () => number;
  readonly #recall: ReturnType<typeof createRecall>;
  readonly #readRound: ReturnType<typeof createRounds>;
  readonly #findRepeat: ReturnType<typeof createRepeatSearch>;
  readonly #open: Map<string, Awaited>;
  /** How often each transaction was followed in vain. */
  readonly #turns = new Map<string, number>();
  readonly #statuses = new Map<string, string>();
  /** The first record of each open transaction that had a hash. */
  readonly #versions = new Map<string, Transaction>();
  readonly #counts: { doing: string; of: number; done: number; failed: number; since: number; phases: string };

  constructor(world: PaymentWorld, { payerId, plan, awaited }: RowsToAwait, ends: Ends) {
    const { clock } = world;
    const { relayerId, server } = payerId;
    const since = clock.elapsed();
    const client = world.briefly(DEFAULT_TIMEOUT);
    this.#world = world;
    this.#plan = plan;
    this.#relayerId = relayerId;
    this.#ends = ends;
    this.#client = client;
    this.#remaining = world.remaining ?? (() => FOLLOW_DEADLINE - (clock.elapsed() - since));
    this.#recall = createRecall({ ...world, client, server, now: () => clock.now(), usesChain: plan.usesChain });
    this.#readRound = createRounds({
      ...{ client, relayerId, mayEnd: (record) => mayEnd(record, plan) },
      seen: (record) => this.#see(record),
    });
    this.#findRepeat = createRepeatSearch(awaited);
    this.#open = new Map(awaited.map((each) => [each.transactionId, each]));
    this.#counts = { doing: "waiting", of: awaited.length, done: 0, failed: 0, since, phases: "" };
  }

  async untilEnded(): Promise<void> {
    const { clock, interrupt } = this.#world;
    const pace = createPace(clock);
    this.#world.count(this.#counts);
    try {
      while (this.#open.size > 0 && this.#remaining() > 0) {
        const { ready, gone, wasLimited, requests } = await this.#readRound(this.#open);
        this.#counts.phases = phasesText([...this.#open.keys()].flatMap((id) => this.#statuses.get(id) ?? []));
        await this.#followAll([...ready.map((record) => this.#targetOf(record)), ...(await this.#recallAll(gone))]);
        if (this.#open.size === 0) break;
        if (interrupt.aborted) throw new RelayctlError("interrupted", "the wait was interrupted");
        const pause = Math.max(pace(wasLimited), requests * REQUEST_SPACING);
        await clock.sleep(Math.max(0, Math.min(pause, this.#remaining())), interrupt);
      }
      for (const id of [...this.#open.keys()]) this.#endWithout(id, "pending");
    } finally {
      this.#world.count(undefined);
    }
  }

  #see(record: Transaction): void {
    const repeat = this.#findRepeat(record);
    if (repeat) this.#ends.repeated(repeat.payment, repeat.transactionId);
    if (!this.#open.has(record.id)) return;
    this.#statuses.set(record.id, txStatus(record));
    if (record.hash && !this.#versions.has(record.id)) this.#versions.set(record.id, record);
  }

  #end(standing: Standing): void {
    const found = this.#open.get(standing.id);
    if (!found) return;
    this.#open.delete(standing.id);
    this.#versions.delete(standing.id);
    if (standing.end === "reached") this.#counts.done++;
    else this.#counts.failed++;
    this.#ends.settled(found.payment, standing);
  }

  #endWithout(id: string, end: "gone" | "pending"): void {
    this.#end({ ...createFollowed({ relayerId: this.#relayerId, id }).standing, end });
  }

  async #followAll(ready: readonly Target[]): Promise<void> {
    const turns = ({ id }: Target) => this.#turns.get(id) ?? 0;
    const groups = inGroups([...ready].sort((one, other) => turns(one) - turns(other))).values();
    const work = async () => {
      for (const group of groups)
        if (this.#remaining() > 0 && !this.#world.interrupt.aborted) await this.#followGroup(group);
    };
    await Promise.all(Array.from({ length: GROUPS }, work));
  }

  async #followGroup(targets: readonly Target[]): Promise<void> {
    const { clock, interrupt, ownNode, abis } = this.#world;
    const { goal, usesChain } = this.#plan;
    const turnEnds = clock.elapsed() + PAYMENT_TURN;
    const request = { client: this.#client, goal, usesChain, clock, interrupt, targets, remaining: this.#remaining };
    let standings: readonly Standing[] = [];
    // A service may be too slow to be asked about each of them within the turn: all are asked once.
    for await (const found of followTransactions({ ...request, ownNode, ...(abis && { abis }) })) {
      standings = found;
      if (clock.elapsed() >= turnEnds) break;
    }
    for (const standing of standings) {
      const { id, end } = standing;
      const isOpen = end === undefined || end === "pending";
      if (isOpen && this.#remaining() > 0) this.#turns.set(id, (this.#turns.get(id) ?? 0) + 1);
      else this.#end(standing);
    }
  }

  /** Returns the transactions without a record that the chain can be asked about. The others are over, or asked about later. */
  async #recallAll(gone: readonly string[]): Promise<Target[]> {
    const recalled = gone.length === 0 ? new Map() : await this.#recall(this.#relayerId, gone);
    return gone.flatMap((id): Target[] => {
      const { records = [], isPartial }: Partial<Recalled> = recalled.get(id) ?? {};
      if (records.length === 0) this.#endWithout(id, "gone");
      return records.length === 0 || isPartial ? [] : [{ ...this.#buildTarget(id, records), isGone: true }];
    });
  }

  /** A record that was sent with two nonces shows the second one at last. */
  #targetOf(record: Transaction): Target {
    const first = this.#versions.get(record.id) ?? record;
    const isSame = wireAmount(first.nonce) === wireAmount(record.nonce);
    return this.#buildTarget(record.id, isSame ? [record] : [first, record]);
  }

  #buildTarget(id: string, records: readonly Transaction[]): Target {
    const payment = this.#open.get(id)?.payment;
    const wanted = payment && verdictVersion({ to: payment.to, value: payment.value, data: payment.data ?? null });
    return { relayerId: this.#relayerId, id, records, wanted };
  }
}

function inGroups(targets: readonly Target[]): Target[][] {
  const size = Math.min(TOGETHER, Math.max(FEWEST, Math.ceil(targets.length / GROUPS)));
  return Array.from({ length: Math.ceil(targets.length / size) }, (_, group) =>
    targets.slice(group * size, (group + 1) * size),
  );
}

function mayEnd(record: Transaction, { goal }: WaitPlan): boolean {
  const status = txStatus(record);
  if (isFinal(status)) return true;
  if (goal.until === "mined") return status === "mined";
  return goal.until === "broadcast" && ["submitted", "mined"].includes(status);
}
