import { wireAmount } from "../../contract/amount.ts";
import type { JsonValue } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import type { NonceUse } from "../evm/nonce-use.ts";
import type { ChainTransaction, Receipt } from "../evm/read-evm.ts";
import type { Fees } from "../replacement/fees.ts";
import type { RevertReason } from "../simulation/revert-reason.ts";
import type { Simulation } from "../simulation/simulate.ts";

export type VerdictWord =
  /** The wanted version is on the chain, deep enough. */
  | "confirmed"
  | "reverted"
  /** The cancellation is on the chain, or the transaction was canceled before it was signed. */
  | "canceled"
  | "failed"
  /** Expired, or replaced by the service's no-op for that reason, even if the status reads `confirmed`. */
  | "expired"
  /** The record shows a version that will never be sent (facts 15.1, 15.2, 15.3). */
  | "never_broadcast"
  /** The original was mined although a cancellation was accepted. */
  | "cancel_too_late"
  | "earlier_version"
  /** A transaction that is not a version of it used the nonce. */
  | "foreign"
  /** The record was deleted, and the chain does not resolve it. */
  | "gone"
  | "pending";

/** How far the wanted version has come. */
export type Stage = "unsigned" | "signed" | "broadcast" | "mined";

/** A transaction on the chain, or in the pool of its nodes. */
export interface SeenVersion extends Version {
  hash: string;
  /** Undefined while it waits to be mined. */
  block: bigint | undefined;
}

/** What became of a transaction, with the facts that show it. */
export interface Verdict {
  verdict: VerdictWord;
  /** One sentence without a period. */
  why: string;
  stage: Stage;
  /** The mined transaction, or for `never_broadcast` the transaction that will be mined instead. */
  seen?: SeenVersion;
  /**
   * What prevents the broadcast of a `never_broadcast`: the relayer's cap, which doesn't apply to a cancellation, or a
   * network without raised replacements, where a cancellation fails, too (facts 15.1, 15.3).
   */
  obstacle?: "cap" | "network";
  /** From a replay of the mined transaction. */
  reason?: RevertReason;
  /** Set if only the record shows it, since the chain could not be asked. */
  isByRecord?: true;
  /** Set if the transaction that used the nonce has none of the known hashes, and need not be a version of it. */
  isPresumed?: true;
  missing: readonly string[];
}

/** The service resends one version at other prices under other hashes. Hex texts are in lowercase. */
export interface Version {
  /** Null for a contract creation. */
  to: string | null;
  value: bigint;
  data: string;
}

/** Returns the version in a record or a request; undefined without a value, e.g. if it is not of EVM. */
export function verdictVersion({ to, value, data }: { [key: string]: JsonValue | undefined }): Version | undefined {
  const amount = wireAmount(value);
  if (amount === undefined) return undefined;
  return { to: typeof to === "string" && to !== "" ? hexText(to) : null, value: amount, data: hexText(data) };
}

/** The service accepts hex without its prefix, and returns it as given (facts 5.2). */
function hexText(text: JsonValue | undefined): string {
  return `0x${typeof text === "string" ? text.toLowerCase().replace(/^0x/, "") : ""}`;
}

export function isSameVerdictVersion(one: Version, other: Version): boolean {
  return one.to === other.to && one.value === other.value && one.data === other.data;
}

/** Returns whether a version only uses up its nonce: it sends nothing to its sender (facts 5.1). */
export function isNoopVerdictVersion({ to, value, data }: Version, from: string): boolean {
  return to === from.toLowerCase() && value === 0n && data === "0x";
}

export interface Evidence {
  /** The records, oldest first. */
  records: readonly [Transaction, ...Transaction[]];
  /** Whether the chain counts depends on this, not on the records. */
  kind: NetworkKind;
  isGone?: boolean | undefined;
  /** The request's wish, if the question is not what the newest record shows. */
  wanted?: Version | "cancellation" | undefined;
  /** Other records of the relayer with the same nonce (facts 16.3). */
  others?: readonly Transaction[] | undefined;
  /** Set if the records show every version that ever existed. */
  isComplete?: boolean | undefined;
  /** Undefined if the chain could not be asked. */
  chain?: ChainFacts | undefined;
  /** Blocks after its own until a transaction counts as confirmed. */
  confirmations: bigint;
  /** Set if a record that reads `confirmed` does not replace that depth. */
  isStrict?: boolean | undefined;
  /** Set if the network's replacements are not priced higher (facts 15.2). */
  isUnraised: boolean;
  /** In wei. */
  cap?: bigint | undefined;
  /** The market's price now, on a network without raised replacements. */
  market?: Fees | undefined;
  /** A replay of the mined transaction on the block before its own, if it reverted. */
  replay?: Simulation | undefined;
}

export interface ChainFacts {
  /** By hash in lowercase; null for an unknown hash. */
  hashes: ReadonlyMap<string, HashFacts | null>;
  /** Undefined if that was not read. */
  nonceUse?: NonceUse | undefined;
  /** Whether the node's pool holds a transaction with the unused nonce; undefined if unknown. */
  isQueued?: boolean | undefined;
  /** The receipt of the transaction that used the nonce, if it is under none of the hashes. */
  userReceipt?: Receipt | undefined;
  /** Milliseconds since 1970, of the block of that transaction. */
  userTime?: number | undefined;
  height?: bigint | undefined;
  /** Why something that the node doesn't show may be mined: the node lags. */
  delay?: string;
  missing: readonly string[];
}

export interface HashFacts {
  transaction: ChainTransaction;
  /** Present if it is mined and the receipt was read. */
  receipt?: Receipt | undefined;
}
