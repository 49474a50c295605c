import type { JsonValue } from "../../contract/json.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import type { Speed } from "../evm/fee-history.ts";
import { capFees, type Fees, feesShortOf, highestFee, type Market, raisedFees } from "./fees.ts";

/** A considered replacement or cancellation, with its surroundings. Amounts are in wei. */
export interface ReplacementQuestion {
  record: Transaction;
  change: "replace" | "cancel";
  /** Only the body's speed has an effect, not its prices (facts 5.4); it defaults to the record's. */
  body?: ReplacementBody | undefined;
  cap?: bigint | undefined;
  /** Whether the network's tags keep a replacement's price from being raised (facts 15.2). */
  isUnraised: boolean;
  /** Undefined if the node could not be asked. */
  market?: Market | undefined;
  baseFee?: bigint | undefined;
  /** Undefined if it was not read. */
  balance?: bigint | undefined;
  /** The price of the version at the node; null without one, undefined if the node was not asked. */
  waiting?: Fees | null | undefined;
}

/** The fields of a replacement that decide whether it is sent; others have no effect. */
export interface ReplacementBody {
  [field: string]: JsonValue | undefined;
  to?: JsonValue | undefined;
  value?: JsonValue | undefined;
  data?: JsonValue | undefined;
  gas_limit?: JsonValue | undefined;
  speed?: JsonValue | undefined;
}

/** What the service will do with a replacement or a cancellation. Amounts are in wei. */
export interface Prediction {
  change: "replace" | "cancel";
  speed: Speed;
  /** The price that the record shows now; undefined before it has one. */
  now: Fees | undefined;
  /**
   * The price that the response shows; the least price if the market is unknown. Undefined if the service refuses the
   * request, and on a network without raised prices whose market is unknown.
   */
  response: Fees | undefined;
  /** The least price at which it is broadcast; undefined if it is not, or while that is unknown. */
  broadcast: Fees | undefined;
  cap: bigint | undefined;
  baseFee: bigint | undefined;
  /** Why it can't work, if anything is known to prevent the broadcast. */
  obstacle: Obstacle | undefined;
  /** The best first. */
  waysOut: readonly WayOut[];
}

/** Why a change cannot work. Amounts are in wei. */
export type Obstacle =
  | { kind: "over" }
  /** There is no price to raise, or not of the type that the relayer uses (facts 5.4). */
  | { kind: "unpriced" }
  /** `short` is what the cap lacks in each member, and `needed` is the least cap that suffices now. */
  | { kind: "cap"; short: Fees; needed: bigint }
  /** The market on a network without raised prices (facts 15.2) must rise to `needed`, and lacks `short`. */
  | { kind: "market"; short: Fees; needed: Fees; market: Fees }
  | { kind: "balance"; short: bigint; needed: bigint };

/** A way around an obstacle. Amounts are in wei. */
export type WayOut =
  | { way: "raise-cap"; cap: bigint }
  | { way: "speed"; speed: Speed }
  /** A cancellation, which is not capped (facts 15.1). */
  | { way: "cancel" }
  | { way: "wait-for-market"; needed: Fees }
  /** Wait until the service has signed the transaction. */
  | { way: "wait-for-price" }
  | { way: "fund"; amount: bigint };

/** Returns by how much the cap is too low for the worker, which raises the response's price again (facts 15.1). */
export function predictCapObstacle(response: Fees, cap: bigint): Obstacle | undefined {
  const least = raisedFees(response);
  const short = feesShortOf(capFees(least, cap), least);
  return short && { kind: "cap", short, needed: highestFee(least) };
}
