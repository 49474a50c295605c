import type { Client } from "../client/client.ts";
import { policyCap } from "../contract/policy.ts";
import type { Relayer } from "../contract/resources/relayer.ts";
import { rescueUnlessInterrupted } from "../errors.ts";
import { type NetworkFacts, readNetworkFacts, UNREAD } from "./network.ts";
import { nodeWithChainIdentity } from "./node/chain-identity.ts";
import { type ChainNode, nodeWithFallback, relayerNode, siblingNodes } from "./node/node.ts";

export interface OwnNodeBounds {
  /** A valid URL, which overrides variable and context. */
  url?: string | undefined;
  timeout?: number;
}

export interface ChainSource {
  client: {
    relayers: Pick<Client["relayers"], "get" | "list" | "rpc">;
    networks: Pick<Client["networks"], "get">;
  };
  relayerId: string;
  relayer?: Relayer | undefined;
  /** Set if only the relayer counts, since no node will be asked: its network is not read. */
  isAlone?: boolean;
  /** Returns the user's node of a network, which replaces the relayer's. */
  ownNode?: (network: string | undefined, bounds?: OwnNodeBounds) => Promise<ChainNode | undefined>;
  own?: OwnNodeBounds;
}

export interface Chain {
  node: ChainNode;
  /** Set for the user's node. */
  isOwn?: true;
  network: NetworkFacts;
  /** Undefined if the service cannot return the relayer. */
  relayer: Relayer | undefined;
  /** In wei. */
  cap: bigint | undefined;
}

/**
 * Opens the chain of an EVM relayer: reads the relayer and its network, and asks no node yet. The node is the user's,
 * or the relayer's, or a sibling's if the relayer is paused or disabled; it then has the sibling's name. A node of
 * another chain is refused.
 */
export async function openChain(source: ChainSource): Promise<Chain> {
  const { relayer, isUnread } = await readChainRelayer(source);
  const name = source.isAlone ? undefined : relayer?.network;
  const network = isUnread ? UNREAD : await readNetworkFacts(source.client.networks, name);
  const { chainId } = network;
  const checked = (node: ChainNode) => (chainId === undefined ? node : nodeWithChainIdentity(node, chainId));
  const own = await source.ownNode?.(networkName(relayer), source.own);
  const node = own ? checked(own) : relayersNode(source, async () => relayer, checked);
  return { node, ...(own && { isOwn: true }), network, relayer, cap: relayer && policyCap(relayer) };
}

/** Returns the node of a relayer, or of a sibling, without reading the relayer or its network first. */
export function openChainNode(source: ChainSource): ChainNode {
  return relayersNode(
    source,
    async () => (await readChainRelayer(source)).relayer,
    (node) => node,
  );
}

function relayersNode(
  { client: { relayers }, relayerId }: ChainSource,
  read: () => Promise<Relayer | undefined>,
  checked: (node: ChainNode) => ChainNode,
): ChainNode {
  const findOthers = async () => {
    const siblings = await siblingNodes(relayers, { id: relayerId, network: networkName(await read()) });
    return siblings.map(checked);
  };
  return nodeWithFallback(checked(relayerNode(relayers, relayerId)), findOthers);
}

export async function readChainRelayer({
  client,
  relayerId,
  relayer,
}: Omit<ChainSource, "client"> & { client: { relayers: Pick<Client["relayers"], "get"> } }): Promise<{
  relayer: Relayer | undefined;
  isUnread?: boolean;
}> {
  if (relayer) return { relayer };
  const reading = client.relayers.get(relayerId).then(({ data }) => ({ relayer: data }));
  return await rescueUnlessInterrupted(reading, ({ retryable }) => ({ relayer: undefined, isUnread: retryable }));
}

function networkName(relayer: Relayer | undefined): string | undefined {
  return typeof relayer?.network === "string" && relayer.network !== "" ? relayer.network : undefined;
}
