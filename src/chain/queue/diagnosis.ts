import type { Transaction } from "../../contract/transaction/transaction.ts";
import type { Speed } from "../evm/fee-history.ts";
import type { NodeSetting } from "../node/late-node.ts";
import type { Fees, Market } from "../replacement/fees.ts";
import type { Prediction } from "../replacement/prediction.ts";

/** All evidence about an EVM relayer's unmined transactions. Amounts are in wei. */
export interface QueueEvidence {
  relayer: { id: string; address: string | undefined; isPaused: boolean; isDisabled: boolean };
  /** The pending records, and all others with a nonce that the chain has not used. */
  records: readonly Transaction[];
  /** Undefined if the node could not be asked. */
  chain: QueueChain | undefined;
  /** The nonce that the relayer assigns next; undefined if unknown (facts 15.7). */
  counter?: bigint | undefined;
  /** Where another node can be set; undefined for the user's node, and if nothing can be set. */
  nodeSetting?: NodeSetting | undefined;
  symbol?: string | undefined;
  cap?: bigint | undefined;
  /** Whether the network's tags keep a replacement's price from being raised (facts 15.2). */
  isUnraised: boolean;
  /** Set if the service does not describe the network, so that no prediction is certain. */
  isUndescribed?: boolean | undefined;
  /** Set for the demo, which prices a bump like the real service. */
  isDemo?: boolean | undefined;
  /** The speed of a bump (default: `fastest`, or the fastest speed that works). */
  speed?: Speed | undefined;
  now: number;
}

export interface QueueChain {
  /** The next nonce: all lower ones are used. */
  nonce: bigint;
  /** The age of the newest block in milliseconds if the node lags, so that it can't show what was not mined. */
  delay?: number | undefined;
  /** The next nonce including the node's pool; undefined if unknown. */
  pooled?: bigint | undefined;
  baseFee?: bigint | undefined;
  market?: Market | undefined;
  balance?: bigint | undefined;
  /** What waits at the node with the next nonce. */
  waiting?: WaitingVersion | undefined;
  /** Recent blocks that had room for it, and took only higher tips. */
  passedOver?: PassedOver | undefined;
  /** Whether the record's hash or another one used the nonces of pending records, by the ID of the record. */
  usedBy?: ReadonlyMap<string, "record" | "other"> | undefined;
}

interface WaitingVersion {
  /** Whether the node knows the record's hash; undefined if that was not read, or there is none. */
  knowsRecord: boolean | undefined;
  /** Undefined if unknown. */
  fees: Fees | undefined;
}

/** Blocks that had room for a transaction, and took only others with higher tips (facts 17.3), in wei per gas. */
export interface PassedOver {
  blocks: number;
  /** What the transaction offers at most. */
  offered: bigint;
  /** The least tip that nearly all gas of these blocks paid. */
  took: bigint;
  /** Set if the blocks were empty, so that `took` is the node's suggestion. */
  isSuggested?: true;
}

export interface Diagnosis {
  /** Undefined if the node could not be asked. */
  nonce: bigint | undefined;
  /** Undefined if only the chain could show it, and it could not be asked. */
  isStuck: boolean | undefined;
  waiting: number;
  head: QueueHead | undefined;
  /** The first finding is about the head if anything waits. */
  findings: readonly Finding[];
  /** The steps, the best first, and always for the head; empty if relayctl can't help. */
  steps: readonly QueueStep[];
}

/** The transaction or the gap with the chain's next nonce. */
export interface QueueHead {
  /** Undefined for a transaction that has no nonce yet. */
  nonce: bigint | undefined;
  /** Undefined if no record has the nonce. */
  record: Transaction | undefined;
  /** The prediction for a bump, if one was considered. */
  prediction: Prediction | undefined;
}

export type FindingCode =
  | "gap"
  /** No record has the next nonce, but a transaction with it waits at the node (facts 15.9). */
  | "unrecorded"
  /** It has a nonce and can never be signed (facts 16.3). */
  | "unsignable"
  | "unsigned"
  /** `sent` and not broadcast: the base fee is above its fee (facts 16.4). */
  | "below_base_fee"
  /** `sent` and not broadcast: the relayer cannot pay for it (facts 16.4). */
  | "unfunded"
  /** `sent` and not broadcast, although nothing prevents it (facts 16.4). */
  | "worker_dead"
  /** `sent`, and the node has it: its response was lost (facts 16.4). */
  | "response_lost"
  /** `sent` without a time, and the reason could not be read (facts 16.4). */
  | "not_broadcast"
  /** The node has it, and the base fee is above its fee. */
  | "underpriced"
  /** The node has it, and blocks with room take higher tips (facts 17.3). */
  | "low_tip"
  | "slow"
  | "dropped"
  /** The record shows a version that will not be broadcast (facts 15.1, 15.2). */
  | "never_broadcast"
  | "in_progress"
  /** It has no nonce: the service has not prepared it (facts 16.6). */
  | "not_prepared"
  /** The node's newest block is old, so that transactions that it lacks may be mined. */
  | "node_behind"
  /** The node could not be asked, so only the records count. */
  | "chain_unread"
  | "canceling"
  /** The relayer's cap keeps a bump from being sent (facts 15.1). */
  | "cap"
  /** The market keeps a bump from being sent on this network (facts 15.2). */
  | "market"
  | "balance"
  | "unpriced"
  /** A bump would be signed with too little gas (facts 5.4). */
  | "no_gas_limit"
  | "paused"
  | "disabled"
  /** Two records have the next nonce (facts 16.3). */
  | "shared_nonce"
  /** The chain used the nonce of a pending record, as far as known for another hash. */
  | "used"
  /** The chain used nonces that the relayer has not assigned (facts 15.7, 15.9). */
  | "counter_behind";

/** One fact about the queue, in one sentence without a period. */
export interface Finding {
  code: FindingCode;
  /** `fail` stops the queue, `warn` will, and `note` does not. */
  severity: "fail" | "warn" | "note";
  message: string;
  nonce?: bigint | undefined;
  id?: string | undefined;
}

/** A step that helps the head. Amounts are in wei. */
export type QueueStep =
  /** The service or the chain does the rest. */
  | { action: "wait" }
  | { action: "bump"; id: string; speed: Speed }
  /** The same, with a higher cap meanwhile. */
  | { action: "raise-cap"; id: string; cap: bigint; speed: Speed }
  /** Replace a transaction that can never be signed with a no-op, which uses its nonce. */
  | { action: "replace-by-nothing"; id: string }
  /** Cancel it, which gives up a payment unless it is a no-op. */
  | { action: "cancel"; id: string; discards: boolean }
  /** relayctl doesn't do these by itself. */
  | { action: "resume" }
  | { action: "fund"; amount: bigint }
  | { action: "wait-for-market"; needed: Fees }
  | { action: "restart-service" }
  /** Repair what disabled the relayer, or its node. */
  | { action: "repair" }
  /** Switch to a node that doesn't lag. */
  | { action: "other-node"; setting: NodeSetting | undefined };

export interface Cause {
  code: FindingCode;
  message: string;
  remedy: "wait" | "bump" | "replace" | "fund" | "restart" | "repair" | "other-node" | "none";
  /** False if it is in progress, and `unknown` if only the chain shows it (default: true). */
  isStuck?: boolean | "unknown";
  short?: bigint;
}
