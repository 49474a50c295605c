import type { Client } from "../../client/client.ts";
import type { Clock } from "../../client/clock.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import type { ChainSource } from "../open-chain.ts";
import type { AbiSource } from "../simulation/revert-reason.ts";
import type { Goal, Target } from "./followed.ts";

export interface Recalled {
  /** Stand-ins for records, oldest first; none for an unknown transaction. */
  records: readonly Transaction[];
  /** Set if the chain could not be asked, so that a later call may return more. */
  isPartial?: boolean;
}

export type Recall = (relayerId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, Recalled>>;

export interface FollowRequest {
  /** A client that does not retry: a failed read is repeated in the next round. */
  client: ChainSource["client"] & Pick<Client, "tx">;
  targets: readonly Target[];
  goal: Goal;
  /** Whether the chain is asked; otherwise only the records count. */
  usesChain: boolean;
  readsFees?: boolean;
  ownNode?: ChainSource["ownNode"];
  /** Returns what the journal and the chain know of transactions without a record. */
  recall?: Recall | undefined;
  /** For decoding the error of a transaction that reverted. */
  abis?: AbiSource;
  clock: Clock;
  interrupt: AbortSignal;
  remaining(): number;
}
