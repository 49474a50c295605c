import type { ChainTransaction } from "../chain/evm/transaction.ts";
import type { Chain } from "../chain/open-chain.ts";
import type { ApiResult } from "../client/api-result.ts";
import type { Client } from "../client/client.ts";
import type { Transaction } from "../contract/transaction/transaction.ts";
import type { Journal } from "../journal/journal.ts";
import type { OtherWrites, RelayerAt } from "./other-writes.ts";
import type { Listed } from "./read-list.ts";

export type Finding =
  | { state: "sent"; record: ApiResult<Transaction> }
  /** The chain has its transaction, and the service deleted the record. */
  | { state: "sent"; mined: ChainTransaction }
  /** No transaction of it can exist any more. */
  | { state: "unsent" }
  /** `candidates` are the IDs or hashes of transactions that may be its own: it must not be sent again. `isUnasked`: the chain could not be asked now. */
  | { state: "unknown"; because: string; candidates: readonly string[]; isUnasked?: true };

export interface FindingWorld extends RelayerAt {
  client: Pick<Client, "tx">;
  journal: Journal;
  /** Milliseconds since 1970. */
  now(): number;
  /** Opens the chain, which decides about a request without a record; absent if it is too early to ask. */
  chain?: (() => Promise<Chain>) | undefined;
}

export interface Known {
  listed: Listed;
  others: OtherWrites;
  /** Returns the IDs of the intents whose result a transaction is known to be, by its ID or hash. */
  ownersOf(key: string): Promise<readonly string[]>;
}

export function unknown(because: string, candidates: readonly string[] = []): Extract<Finding, { state: "unknown" }> {
  return { state: "unknown", because, candidates };
}
