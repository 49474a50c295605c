import type { Client } from "../../client/client.ts";
import type { Clock } from "../../client/clock.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import type { ChainSource } from "../open-chain.ts";
import type { AbiSource } from "../simulation/revert-reason.ts";
import type { Target } from "./followed.ts";
import type { Goal } from "./goal.ts";

/** What is known of a transaction without its record. */
export interface Recalled {
  /** What stands in for records, oldest first; none for a transaction that is known nowhere. */
  records: readonly Transaction[];
  /** Set if the chain could not be asked now, so that a later call may return more. */
  isPartial?: boolean;
}

export type Recall = (relayerId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, Recalled>>;

export interface FollowRequest {
  /** A client that does not retry: a read that fails is repeated in the next round. */
  client: ChainSource["client"] & Pick<Client, "tx">;
  targets: readonly Target[];
  goal: Goal;
  /** Whether the chain is asked; otherwise only the records count. */
  usesChain: boolean;
  readsFees?: boolean;
  ownNode?: ChainSource["ownNode"];
  /** Returns what the journal and the chain know of transactions without a record; absent if nothing can be known. */
  recall?: Recall | undefined;
  /** By which the error of a transaction that reverted is decoded. */
  abis?: AbiSource;
  clock: Clock;
  interrupt: AbortSignal;
  remaining(): number;
}
