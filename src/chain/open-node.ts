import type { Client } from "../client/client.ts";
import { firstWilling } from "./node/first-willing.ts";
import type { ChainNode } from "./node/node.ts";
import { relayerNode } from "./node/relayer-node.ts";
import { onSameChain } from "./node/same-chain.ts";
import { siblingNodes } from "./node/siblings.ts";

export interface NodeSources {
  client: Pick<Client, "relayers">;
  relayer: { id: string; network?: unknown };
  /** The user's own node, which is asked in place of the relayer's. */
  own?: ChainNode | undefined;
  /** The network's chain ID, if known: a node of another chain is refused. */
  chainId?: bigint | undefined;
}

/**
 * Returns the node through which a relayer's chain is read: the user's own, or the relayer's, or if the relayer is
 * paused or disabled that of a sibling, whose name it then has. Sends nothing yet.
 */
export function openNode({ client: { relayers }, relayer, own, chainId }: NodeSources): ChainNode {
  const checked = (node: ChainNode) => (chainId === undefined ? node : onSameChain(node, chainId));
  if (own) return checked(own);
  const findOthers = async () => (await siblingNodes(relayers, relayer)).map(checked);
  return firstWilling(checked(relayerNode(relayers, relayer.id)), findOthers);
}
