import { wireAmount } from "../../contract/amount.ts";
import { leastReplacementPrice } from "../../contract/transaction/replacement.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import { isNoop, statusOf } from "../../contract/transaction/transaction-state.ts";
import type { ChainTransaction } from "../evm/transaction.ts";
import type { ChainFacts, Evidence } from "./evidence.ts";
import { hasSlotOf } from "./of-mined.ts";
import type { Verdict } from "./verdict.ts";
import { isSameVersion, type Version, versionOf } from "./version.ts";
import { newestOf } from "./wanted.ts";

/** Why the version of a record will never be sent. */
interface NeverBroadcast {
  obstacle: NonNullable<Verdict["obstacle"]>;
  /** The version that waits to be mined instead. */
  instead: ChainTransaction;
}

/**
 * Returns why the version that a record shows will never be broadcast (facts 15.1, 15.2, 15.3). Its hash alone does not
 * show it: the hash in the response to a replacement is hardly ever sent (facts 16.2).
 */
export function neverBroadcast(evidence: Evidence, chain: ChainFacts): NeverBroadcast | undefined {
  const newest = newestOf(evidence);
  const version = versionOf(newest);
  const instead = waitingIn(evidence, chain);
  if (!["sent", "submitted"].includes(statusOf(newest)) || !version || !instead) return undefined;
  const isKnown = typeof newest.hash !== "string" || chain.hashes.get(newest.hash.toLowerCase()) !== null;
  if (isKnown || isSameVersion(version, instead) || wasShownBefore(version, evidence)) return undefined;
  const pairs = pricePairs(newest, instead);
  if (!pairs) return undefined;
  if (evidence.isUnraised) {
    const prices = evidence.market ? marketPairs(instead, evidence.market) : pairs;
    return isRaised(pairs) || isRaised(prices) ? undefined : { obstacle: "network", instead };
  }
  // A cancellation is not capped.
  if (evidence.cap === undefined || isNoop(newest) || isSentAsItIs(newest, pairs)) return undefined;
  const { cap } = evidence;
  return pairs.some(({ price }) => cap < leastReplacementPrice(price)) ? { obstacle: "cap", instead } : undefined;
}

/** Returns whether the version is sent again without a new price, since it is not known to be sent (facts 5.1, 16.4). */
function isSentAsItIs(record: Transaction, pairs: readonly Pair[]): boolean {
  return statusOf(record) === "sent" && isRaised(pairs);
}

/** Returns whether an earlier record shows the same version under another hash, which may have been sent. */
function wasShownBefore(version: Version, evidence: Evidence): boolean {
  const { hash } = newestOf(evidence);
  return evidence.records.some((record) => {
    const shown = versionOf(record);
    return record.hash !== hash && shown !== undefined && isSameVersion(shown, version);
  });
}

/** Returns the transaction with the record's nonce that waits in the node's pool. */
export function waitingIn(evidence: Evidence, { hashes }: ChainFacts): ChainTransaction | undefined {
  const newest = newestOf(evidence);
  const waiting = [...hashes.values()].filter((found) => found && found.transaction.block === undefined);
  return waiting.map((found) => found?.transaction).find((each) => each && hasSlotOf(newest, each));
}

/** A price of the record, and the same member of the price of the waiting version. */
interface Pair {
  price: bigint;
  old: bigint;
}

/** Returns the members of both prices; undefined if they are of different types, or incomplete. */
function pricePairs(record: Transaction, { maxFee, maxTip, gasPrice }: ChainTransaction): Pair[] | undefined {
  const legacy = wireAmount(record.gas_price);
  const fee = wireAmount(record.max_fee_per_gas);
  const tip = wireAmount(record.max_priority_fee_per_gas);
  if (fee !== undefined && tip !== undefined && maxFee !== undefined && maxTip !== undefined) {
    return [
      { price: fee, old: maxFee },
      { price: tip, old: maxTip },
    ];
  }
  return legacy !== undefined && gasPrice !== undefined ? [{ price: legacy, old: gasPrice }] : undefined;
}

function marketPairs({ maxFee = 0n, maxTip = 0n }: ChainTransaction, market: { maxFee: bigint; tip: bigint }): Pair[] {
  return [
    { price: market.maxFee, old: maxFee },
    { price: market.tip, old: maxTip },
  ];
}

/** Returns whether nodes accept a replacement at these prices. */
function isRaised(pairs: readonly Pair[]): boolean {
  return pairs.every(({ price, old }) => price >= leastReplacementPrice(old));
}
