import type { Client } from "../../client/client.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import type { Speed } from "../evm/fee-history.ts";
import type { ChainNode } from "../node/node.ts";
import { type ChainSource, openChain } from "../open-chain.ts";
import type { Accepted, Broadcast } from "../replacement/broadcast.ts";
import type { Prediction } from "../replacement/prediction.ts";
import { foreseeBump, objectionsToBump, readBumpFacts, type Unbumpable } from "./foresee-bump.ts";
import { followBump, sendBump } from "./send-bump.ts";

export interface BumpOptions {
  /** The speed whose market price counts (default: `fastest`). */
  speed?: Speed;
  /** The most that the prediction may show, in wei per gas. Only the relayer's cap guarantees a limit. */
  maxFee?: bigint;
  /** Send even what can't work. */
  force?: boolean;
  /** The URL of a node to ask in place of the relayer's. */
  node?: string;
}

export type BumpResult =
  | {
      sent: true;
      /** A transaction that is being canceled is canceled again; any other is replaced by itself. */
      change: Prediction["change"];
      prediction: Prediction;
      before: Transaction;
      /** The response, whose hash is rarely the broadcast hash (facts 16.2). */
      after: Transaction;
      broadcast: Broadcast;
    }
  | {
      sent: false;
      /**
       * Why nothing was sent: the transaction cannot be sent again as it is, the prediction has an obstacle, its nonce is
       * used, or `maxFee` is too low or cannot be compared with the market.
       */
      why: Unbumpable | "obstacle" | "nonce_used" | "max_fee" | "market_unknown";
      prediction?: Prediction;
    };

/** Sends transactions again at a higher price. */
export interface BumpClient {
  /**
   * Sends an EVM transaction again with the same receiver, value, data, and gas limit at a higher price, unless the
   * service would accept the request and never broadcast it (facts 15.1, 15.2). Then waits up to 15 seconds for the
   * broadcast. Never retries once the request may have left.
   * @throws RelayctlError not_found; conflict if the transaction changed in the meantime; any failure of a write
   */
  bump(relayerId: string, transactionId: string, options?: BumpOptions): Promise<BumpResult>;
}

export interface BumpNeeds {
  client: ChainSource["client"] & Pick<Client, "tx">;
  clock: Accepted["clock"] & { now(): number };
  interrupt: AbortSignal;
  nodeAt(url: string): ChainNode;
}

export function bumpClient({ client, clock, interrupt, nodeAt }: BumpNeeds): BumpClient {
  return {
    async bump(relayerId, transactionId, { speed = "fastest", maxFee, force = false, node: url } = {}) {
      const { data: record } = await client.tx.get(relayerId, transactionId);
      const ownNode = async () => (url === undefined ? undefined : nodeAt(url));
      const surroundings = await readBumpFacts(await openChain({ client, relayerId, ownNode }), clock.now());
      const bump = await foreseeBump(surroundings, { relayerId, record, speed, now: clock.now() });
      if (typeof bump === "string") return { sent: false, why: bump };
      const { prediction, request } = bump;
      const { price, change } = objectionsToBump(bump, maxFee);
      const why = price ?? (force ? undefined : change);
      if (why !== undefined) return { sent: false, why, prediction };
      const { data: after } = await sendBump(client, bump);
      const broadcast = await followBump(bump, after, { client, clock, interrupt });
      return { sent: true, change: request.change, prediction, before: record, after, broadcast };
    },
  };
}
