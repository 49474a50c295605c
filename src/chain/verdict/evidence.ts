import type { NetworkKind } from "../../contract/network-kind.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import type { NonceUse } from "../evm/nonce-use.ts";
import type { ChainTransaction, Receipt } from "../evm/read-evm.ts";
import type { Fees } from "../replacement/fees.ts";
import type { Simulation } from "../simulation/simulate.ts";
import type { Version } from "./verdict.ts";

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
