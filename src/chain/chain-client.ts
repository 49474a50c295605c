import type { Client } from "../client/client.ts";
import type { Clock } from "../client/clock.ts";
import type { Transaction } from "../contract/transaction/transaction.ts";
import { RelayctlError } from "../errors.ts";
import { type Examined, examine } from "./examine.ts";
import type { ChainNode } from "./node/node.ts";
import { type Chain, openChain } from "./open-chain.ts";
import { verdictOf } from "./verdict/verdict-of.ts";
import { isEvmRecord } from "./verdict/wanted.ts";

export interface ChainOptions {
  /** The URL of a node to ask instead of the relayer's. */
  nodeUrl?: string;
}

export interface VerdictOptions extends ChainOptions {
  /** Records of the transaction that were seen before, oldest first: they show its earlier versions and hashes. */
  earlier?: readonly Transaction[];
  /** Further hashes of the transaction, newest first. */
  hashes?: readonly string[];
  /** Blocks after its own with which it counts as confirmed (default: as many as the network requires). */
  confirmations?: bigint;
}

/** Reads what the chain holds. */
export interface ChainClient {
  /**
   * Reads a transaction and the chain, and returns what became of the transaction, even if its record is wrong or was
   * deleted. Solana and Stellar transactions are shown by their records alone.
   * @throws RelayctlError not_found if there is neither a record nor an earlier one
   */
  verdict(relayerId: string, transactionId: string, options?: VerdictOptions): Promise<Examined>;
  /** Opens the chain of an EVM relayer, to ask its node for anything that only reads. Sends no request to the node. */
  open(relayerId: string, options?: ChainOptions): Promise<Chain>;
}

/** @param nodeAt returns the node at a URL */
export function chainClient(
  client: Pick<Client, "relayers" | "networks" | "tx">,
  clock: Pick<Clock, "now">,
  nodeAt: (url: string) => ChainNode,
): ChainClient {
  const open = (relayerId: string, { nodeUrl }: ChainOptions = {}) => {
    const ownNode = async () => (nodeUrl === undefined ? undefined : nodeAt(nodeUrl));
    return openChain({ client, relayerId, ownNode });
  };
  return {
    open,
    async verdict(relayerId, transactionId, options = {}) {
      const { earlier = [], hashes = [], confirmations } = options;
      const newest = await recordOf(client, relayerId, transactionId, earlier.length > 0);
      const [first, ...more] = newest ? [...earlier, newest] : earlier;
      if (!first) throw new RelayctlError("internal", "a missing record was not reported");
      const records = [first, ...more] as const;
      const seen = { records, ...(!newest && { isGone: true }) };
      if (!isEvmRecord(first)) {
        const verdict = verdictOf({ ...seen, confirmations: 0n, isUnraised: false });
        return { verdict, facts: undefined, fault: undefined, node: "" };
      }
      const depth = confirmations === undefined ? {} : ({ confirmations, isStrict: true } as const);
      return await examine(await open(relayerId, options), client, {
        ...seen,
        ...depth,
        relayerId,
        hashes,
        now: clock.now(),
      });
    },
  };
}

/** Reads a record; undefined if it was deleted and earlier ones stand in for it. */
async function recordOf(
  { tx }: Pick<Client, "tx">,
  relayerId: string,
  transactionId: string,
  hasEarlier: boolean,
): Promise<Transaction | undefined> {
  try {
    return (await tx.get(relayerId, transactionId)).data;
  } catch (error) {
    if (hasEarlier && error instanceof RelayctlError && error.failure === "not_found") return undefined;
    throw error;
  }
}
