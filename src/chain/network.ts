import type { NetworksClient } from "../client/client.ts";
import { isEvmSymbol, knownSymbol, wireAmount } from "../contract/amount.ts";
import type { JsonValue } from "../contract/json.ts";
import type { NetworkKind } from "../contract/network-kind.ts";
import { type Network, networkId } from "../contract/resources/network.ts";
import { rescueUnlessInterrupted } from "../errors.ts";

/** What the service knows about an EVM network (facts 8.2). */
export interface NetworkFacts {
  chainId: bigint | undefined;
  symbol?: string;
  tags: readonly string[];
  /** Blocks after its own until a transaction counts as confirmed. */
  confirmations: bigint;
  /** Average milliseconds between blocks. */
  blockTime: number;
  /** Set if its coins are worthless: a testnet, or a local development node. */
  isTest?: true;
  /** Set if the read failed, so that another read may show the network. */
  isUnread?: true;
}

export const UNKNOWN: NetworkFacts = { chainId: undefined, tags: [], confirmations: 1n, blockTime: 12_000 };

/** Facts of an unread network: its depth may be up to two epochs of Ethereum, which are final. */
export const UNREAD: NetworkFacts = { ...UNKNOWN, confirmations: 64n, isUnread: true };

/** Reads a network's facts: defaults before service v1.4, and safe facts after a temporary failure. */
export async function readNetworkFacts(
  networks: Pick<NetworksClient, "get">,
  name: unknown,
  kind: NetworkKind = "evm",
): Promise<NetworkFacts> {
  if (typeof name !== "string" || name === "") return UNKNOWN;
  const network = networks.get(networkId(kind, name), { byRoute: true });
  const reading = network.then(({ data }) => networkFacts(data));
  return await rescueUnlessInterrupted(reading, ({ retryable }) => (retryable ? UNREAD : UNKNOWN));
}

/** The chain IDs of Anvil and Hardhat, and of Ganache. */
const LOCAL_CHAINS = [31_337n, 1_337n];

/** Returns whether a chain is a development node's, which has a block only when there is something to mine. */
export function isLocalNetwork(chainId: bigint | undefined): boolean {
  return chainId !== undefined && LOCAL_CHAINS.includes(chainId);
}

export function networkFacts(network: Network): NetworkFacts {
  const { chain_id, is_testnet, name, symbol: shown, tags, required_confirmations, average_blocktime_ms } = network;
  const chainId = wireAmount(chain_id as JsonValue);
  const symbol = isEvmSymbol(shown) ? shown : knownSymbol(name);
  const isTest = is_testnet === true || isLocalNetwork(chainId);
  return {
    chainId,
    ...(isTest && { isTest }),
    ...(symbol !== undefined && { symbol }),
    tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : [],
    confirmations: wireAmount(required_confirmations as JsonValue) ?? UNKNOWN.confirmations,
    blockTime: Number(wireAmount(average_blocktime_ms as JsonValue) ?? UNKNOWN.blockTime),
  };
}

/** Returns whether the coins of a network are worthless; false if the network cannot be read. */
export async function networkHasTestCoins(networks: Pick<NetworksClient, "get">, name: unknown): Promise<boolean> {
  return (await readNetworkFacts(networks, name)).isTest === true;
}

/**
 * Tags of networks that don't price replacements higher: there, a replacement or cancellation at the market price loses
 * against the original (facts 15.2, 15.3).
 */
const UNRAISED = ["no-mempool", "arbitrum-based", "optimism-based", "optimism"];

export function networkReplacesUnraised({ tags }: Pick<NetworkFacts, "tags">): boolean {
  return tags.some((tag) => UNRAISED.includes(tag));
}
