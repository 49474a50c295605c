import type { NetworkKind } from "../../contract/network-kind.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import type { Price } from "../evm/market-price.ts";
import type { NonceUse } from "../evm/nonce-use.ts";
import type { Receipt } from "../evm/receipt.ts";
import type { ChainTransaction } from "../evm/transaction.ts";
import type { Simulation } from "../simulation/simulation.ts";
import type { Version } from "./version.ts";

export interface Evidence {
  /** The records that were seen, oldest first; the last one is the newest. */
  records: readonly [Transaction, ...Transaction[]];
  /** The kind of the relayer's network: the records do not decide whether the chain counts. */
  kind: NetworkKind;
  isGone?: boolean;
  /** What a request asked for, if the question is not what the newest record shows. */
  wanted?: Version | "cancellation";
  /** Other records of the relayer with the same nonce (facts 16.3). */
  others?: readonly Transaction[];
  /** Set if the records show every version that there ever was. */
  isComplete?: boolean;
  /** What the chain holds; undefined if it could not be asked. */
  chain?: ChainFacts | undefined;
  /** Blocks after its own that make a transaction count as confirmed. */
  confirmations: bigint;
  /** Set if a record that reads `confirmed` does not replace that depth. */
  isStrict?: boolean;
  /** Set if the network's replacements are not priced higher (facts 15.2). */
  isUnraised: boolean;
  /** The relayer's cap on the gas price, in wei. */
  cap?: bigint | undefined;
  /** The market's price now, on a network without raised replacements. */
  market?: Price | undefined;
  /** What the mined transaction does at the block before its own, if it reverted. */
  replay?: Simulation | undefined;
}

/** What a node said about one transaction. */
export interface ChainFacts {
  /** What the node holds under each hash that was looked up, in lowercase; null for a hash that it does not know. */
  hashes: ReadonlyMap<string, HashFacts | null>;
  /** Who used the nonce; undefined if that was not read. */
  nonceUse?: NonceUse | undefined;
  /** Whether the node's pool holds a transaction with the unused nonce; undefined if that is not known. */
  isQueued?: boolean | undefined;
  /** The receipt of the transaction that used the nonce, if it is under none of the hashes. */
  userReceipt?: Receipt | undefined;
  /** Milliseconds since 1970 of the block of that transaction. */
  userTime?: number | undefined;
  height?: bigint | undefined;
  /** Why what the node does not show may be mined nevertheless: it is behind. */
  delay?: string;
  /** Why parts are missing, each in one line. */
  missing: readonly string[];
}

/** What a node holds under a hash. */
export interface HashFacts {
  transaction: ChainTransaction;
  /** Present if it is mined and the receipt was read. */
  receipt?: Receipt | undefined;
}
