import type { Reading } from "../../../src/chain/node/node.ts";
import type { Fees } from "../../../src/chain/replacement/fees.ts";
import type { ReplacementQuestion } from "../../../src/chain/replacement/prediction.ts";

export interface Situation {
  change?: "replace" | "cancel";
  /** What the transaction pays now, in percent of the market's price at `fast`. */
  old?: { fee: number; tip: number };
  /** The relayer's cap, in percent of what the transaction pays now or of the market's price, and some wei more. */
  cap?: { of: "old" | "market"; percent: number; plus?: bigint };
  exactCap?: bigint;
  speed?: "fastest" | "fast" | "average" | "safeLow";
  isTagged?: boolean;
  isLegacy?: boolean;
  /** The replacement only uses up its nonce. */
  isNoop?: boolean;
  /** Wei that the relayer has more than the version that is sent costs. */
  spare?: bigint;
  gas?: number | null;
  /** `jammed`: pending with a nonce, since it could not be signed (facts 16.3). */
  status?: "submitted" | "pending" | "jammed" | "confirmed";
}

export interface Happened {
  question: ReplacementQuestion;
  /** The price in the response; undefined if the request was refused. */
  response: Fees | undefined;
  /** The price of the new version that the node holds; undefined if it has none. */
  broadcast: Fees | undefined;
  /** What its record reads 20 minutes later, and the values of what it shows and of what was mined. */
  end: { status: string | undefined; shown: Value; mined: Value };
}

type Value = "earlier" | "requested" | "none" | undefined;

export function named(value: unknown, [earlier, requested]: readonly [number, number]): Value {
  if (value === undefined || value === null) return undefined;
  const number = Number(value);
  if (number === 0) return "none";
  return number === earlier ? "earlier" : number === requested ? "requested" : undefined;
}

/** Something that behaves like the service, its worker, and its node. */
export type Stage = (situation: Situation) => Promise<Happened>;

export function capOf({ cap, exactCap }: Situation, old: bigint, market: bigint): bigint | undefined {
  if (exactCap !== undefined) return exactCap;
  return cap && ((cap.of === "old" ? old : market) * BigInt(cap.percent)) / 100n + (cap.plus ?? 0n);
}

export function known<T>(reading: Reading<T>): T {
  if ("fault" in reading) throw new Error(reading.fault.words);
  return reading.value;
}
