import type { Client } from "../../client/client.ts";
import type { Clock } from "../../client/clock.ts";
import { isNoopTx, isPending, type Transaction, txStatus } from "../../contract/transaction/transaction.ts";
import { interruptedError, RelayctlError } from "../../errors.ts";
import { BROADCAST_PATIENCE } from "../../timing.ts";
import { hexHash } from "../evm/quantity.ts";
import { type ChainTransaction, readEvmTransaction } from "../evm/read-evm.ts";
import { createPace } from "../follow/pace.ts";
import type { ChainNode, NodeFaultKind } from "../node/node.ts";
import { isSameVerdictVersion, verdictVersion } from "../verdict/verdict.ts";
import { type Fees, feesInPool, feesOf, feesShortOf, raisedFees } from "./fees.ts";
import { type Obstacle, type Prediction, predictCapObstacle } from "./prediction.ts";

export interface Accepted {
  client: { tx: Pick<Client["tx"], "get"> };
  relayerId: string;
  change: Prediction["change"];
  before: Transaction;
  after: Transaction;
  hashes?: readonly string[] | undefined;
  /** Undefined if only the records can be read. */
  node: ChainNode | undefined;
  /** In wei; undefined without a cap, or if the service may not apply it. */
  cap: bigint | undefined;
  /** Whether the network's tags keep a replacement's price from being raised (facts 15.2). */
  isUnraised: boolean;
  clock: Pick<Clock, "elapsed" | "sleep">;
  interrupt: AbortSignal;
}

/** What became of an accepted replacement within seconds, with the newest record. */
export type Broadcast = { record: Transaction } & (
  | OnItsWay
  | {
      state: "never_broadcast";
      obstacle: Obstacle;
      /** The hash that will be mined instead, if one waits. */
      instead: string | undefined;
    }
  /** The transaction has ended, or an earlier version was mined, under the hash `mined`. */
  | { state: "over"; mined: string | undefined }
  /** Still unknown, e.g. because reads failed: `why`, in one line each. */
  | { state: "unknown"; why: readonly string[] }
);

/** The new version waits in the pool of a node, or is mined. */
interface OnItsWay {
  state: "on_its_way";
  hash: string;
  /** Undefined if neither the node nor the record shows a price. */
  fees: Fees | undefined;
  /** Undefined while it waits. */
  block: bigint | undefined;
  /** Only the record counts if no node can be asked. */
  seenBy: "node" | "record";
}

interface Round {
  record: Transaction;
  /** Null if the node does not know the record's hash; undefined if it was not asked. */
  own: ChainTransaction | null | undefined;
  /** What the node holds under the hash that preceded the request. */
  old: ChainTransaction | null | undefined;
  why: string[];
  wasLimited: boolean;
  /** Whether the node may respond to the next request, after it failed one of these. */
  mayRespond: boolean;
}

/** Temporary faults: a later round may learn what the record can't show. */
const PASSING: readonly NodeFaultKind[] = ["unreachable", "limited", "unreadable"];

/**
 * Waits, for at most 15 seconds, until it is known whether an accepted replacement or cancellation is broadcast: until
 * the record's hash is neither the previous hash nor the response's, and the node knows it, or until the node knows the
 * response's (facts 15.1, 16.2). Each round reads the record and asks the node at most twice.
 * @throws RelayctlError interrupted
 */
export async function awaitBroadcast(accepted: Accepted): Promise<Broadcast> {
  const { clock, interrupt } = accepted;
  const end = clock.elapsed() + BROADCAST_PATIENCE;
  const pace = createPace(clock);
  let round = await askNode(accepted, { record: accepted.after, why: [], wasLimited: false });
  for (;;) {
    const known = whatIsKnown(accepted, round);
    if (known) return known;
    if (clock.elapsed() >= end) return atTheEnd(accepted, round);
    await clock.sleep(Math.min(pace(round.wasLimited), end - clock.elapsed()), interrupt);
    if (interrupt.aborted) throw interruptedError();
    round = await askNode(accepted, await readRecord(accepted, round.record));
  }
}

type RecordRead = Pick<Round, "record" | "why" | "wasLimited">;

async function readRecord({ client, relayerId, interrupt }: Accepted, last: Transaction): Promise<RecordRead> {
  try {
    return { record: (await client.tx.get(relayerId, last.id)).data, why: [], wasLimited: false };
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.failure === "interrupted" || interrupt.aborted) throw error;
    return { record: last, why: [error.message], wasLimited: error.failure === "rate_limited" };
  }
}

async function askNode(accepted: Accepted, { record, why, wasLimited }: RecordRead): Promise<Round> {
  const { node, before } = accepted;
  const round: Round = { record, own: undefined, old: undefined, why: [...why], wasLimited, mayRespond: false };
  const lookUp = async (hash: string | undefined) => {
    if (!node || hash === undefined) return undefined;
    const found = await readEvmTransaction(node, hash);
    if ("value" in found) return found.value;
    round.why.push(found.fault.words);
    round.wasLimited ||= found.fault.kind === "limited";
    round.mayRespond ||= PASSING.includes(found.fault.kind);
    return undefined;
  };
  round.own = isEarlier(accepted, record.hash) ? undefined : await lookUp(hexHash(record.hash));
  if (!round.own) round.old = await lookUp(hexHash(before.hash));
  return round;
}

/** Returns the result as soon as reads show it; undefined as long as a later round may show more. */
function whatIsKnown(accepted: Accepted, round: Round): Broadcast | undefined {
  const { after } = accepted;
  const { record, own, old } = round;
  if (own) {
    const [wanted, found] = [verdictVersion(after), verdictVersion({ ...own, value: String(own.value) })];
    if (wanted && found && !isSameVerdictVersion(wanted, found)) return { state: "over", record, mined: own.hash };
    const { hash, block } = own;
    return { state: "on_its_way", record, hash, block, fees: feesInPool(own) ?? feesOf(record), seenBy: "node" };
  }
  if (old?.block !== undefined) return { state: "over", record, mined: old.hash };
  if (!isPending(record)) return { state: "over", record, mined: undefined };
  if (isReplaced(after, record)) return undefined;
  const hash = newestHash(accepted, record);
  if (hash !== undefined) return round.mayRespond ? undefined : byRecord(round, hash);
  const obstacle = cappedBy(accepted);
  return (
    obstacle && {
      state: "never_broadcast",
      record,
      obstacle,
      instead: old === null ? undefined : (old?.hash ?? hexHash(accepted.before.hash)),
    }
  );
}

/** Returns the record's hash if it is neither an earlier hash nor the response's. */
function newestHash(accepted: Accepted, { hash }: Transaction): string | undefined {
  return typeof hash === "string" && !isEarlier(accepted, hash) && hash !== accepted.after.hash ? hash : undefined;
}

/** A record shows a hash that no node knows if the node refused it next to a version that no record shows (facts 15.2, 16.4). */
function byRecord({ record, own }: Round, hash: string): Broadcast | undefined {
  if (own !== undefined) return undefined;
  return { state: "on_its_way", record, hash, block: undefined, fees: feesOf(record), seenBy: "record" };
}

/** Returns whether someone else replaced the accepted version: then the record's hash says nothing about it. */
function isReplaced(after: Transaction, record: Transaction): boolean {
  const [wanted, found] = [verdictVersion(after), verdictVersion(record)];
  return wanted !== undefined && found !== undefined && !isSameVerdictVersion(wanted, found);
}

/** On a network without raised prices, only time shows whether the market, which the worker reads again, sufficed. */
function atTheEnd(accepted: Accepted, round: Round): Broadcast {
  const { record, own, old, why } = round;
  const hash = isReplaced(accepted.after, record) ? undefined : newestHash(accepted, record);
  const shown = hash === undefined ? undefined : byRecord(round, hash);
  if (shown) return shown;
  const price = feesOf(record);
  const isUnknown = own === null || isEarlier(accepted, record.hash);
  const obstacle = isUnknown && accepted.isUnraised && old && price ? findUnderpriced(price, old) : undefined;
  if (obstacle) return { state: "never_broadcast", record, obstacle, instead: old?.hash };
  return { state: "unknown", record, why };
}

/** Returns whether a hash precedes the request; the record keeps it until a cancellation is sent (facts 5.5). */
function isEarlier({ before, hashes = [] }: Accepted, hash: unknown): boolean {
  const known = [before.hash, ...hashes].map((each) => hexHash(each));
  return known.includes(hexHash(hash as string | null));
}

/** The worker's use of the response's price is only certain if the transaction was submitted (facts 15.1). */
function cappedBy({ change, before, after, cap, isUnraised }: Accepted): Obstacle | undefined {
  const response = feesOf(after);
  if (cap === undefined || isUnraised || change === "cancel" || isNoopTx(after)) return undefined;
  if (txStatus(before) !== "submitted" || !response) return undefined;
  return predictCapObstacle(response, cap);
}

/** Returns why a node refuses a version next to the version that waits there (facts 15.2, 15.3). */
function findUnderpriced(market: Fees, old: ChainTransaction): Obstacle | undefined {
  const waiting = feesInPool(old);
  const needed = waiting && raisedFees(waiting);
  const short = needed && feesShortOf(market, needed);
  return short && { kind: "market", short, needed, market };
}
