import type { Client } from "../../client/client.ts";
import type { Clock } from "../../client/clock.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import type { ChainNode } from "../node/node.ts";
import type { Fees } from "./fees.ts";
import type { Obstacle, Prediction } from "./prediction.ts";

export interface Accepted {
  client: { tx: Pick<Client["tx"], "get"> };
  relayerId: string;
  change: Prediction["change"];
  before: Transaction;
  after: Transaction;
  hashes?: readonly string[] | undefined;
  /** Undefined if only the records can be read. */
  node: ChainNode | undefined;
  /** In wei; undefined without a cap, or if the service may not apply it. */
  cap: bigint | undefined;
  /** Whether the network's tags keep a replacement's price from being raised (facts 15.2). */
  isUnraised: boolean;
  clock: Pick<Clock, "elapsed" | "sleep">;
  interrupt: AbortSignal;
}

/** What became of an accepted replacement within seconds, with the newest record. */
export type Broadcast = { record: Transaction } & (
  | OnItsWay
  | {
      state: "never_broadcast";
      obstacle: Obstacle;
      /** The hash that will be mined instead, if one waits. */
      instead: string | undefined;
    }
  /** The transaction has ended, or an earlier version was mined, under the hash `mined`. */
  | { state: "over"; mined: string | undefined }
  /** Still unknown, e.g. because reads failed: `why`, in one line each. */
  | { state: "unknown"; why: readonly string[] }
);

/** The new version waits in the pool of a node, or is mined. */
interface OnItsWay {
  state: "on_its_way";
  hash: string;
  /** Undefined if neither the node nor the record shows a price. */
  fees: Fees | undefined;
  /** Undefined while it waits. */
  block: bigint | undefined;
  /** Only the record counts if no node can be asked. */
  seenBy: "node" | "record";
}
