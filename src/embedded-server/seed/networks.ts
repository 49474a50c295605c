import type { JsonObject } from "../../contract/json.ts";
import type { Resource } from "../state/collection.ts";

/** The networks of every seed, as in a new service, since every relayer needs one (facts 8.2). */
export const demoNetworks: readonly Resource[] = [
  evm("arbitrum-one", 42_161, 250, { tags: ["arbitrum-based"] }),
  evm("base", 8453, 2000, { tags: ["optimism-based"] }),
  evm("mainnet", 1, 12_000),
  evm("polygon", 137, 2000, { symbol: "POL" }),
  evm("sepolia", 11_155_111, 12_000, { is_testnet: true }),
  network("solana", "devnet", { average_blocktime_ms: 400, is_testnet: true }),
  network("solana", "mainnet-beta", { average_blocktime_ms: 400, is_testnet: false }),
  network("stellar", "mainnet", {
    average_blocktime_ms: 5000,
    is_testnet: false,
    passphrase: "Public Global Stellar Network ; September 2015",
  }),
  network("stellar", "testnet", {
    average_blocktime_ms: 5000,
    is_testnet: true,
    passphrase: "Test SDF Network ; September 2015",
  }),
];

/** On a network with tags like these, the service raises no prices (facts 15.2). */
function evm(
  name: string,
  chain_id: number,
  average_blocktime_ms: number,
  { is_testnet = false, tags, ...more }: JsonObject = {},
): Resource {
  return network("evm", name, {
    average_blocktime_ms,
    is_testnet,
    ...(tags && { tags }),
    chain_id,
    required_confirmations: 1,
    features: ["eip1559"],
    symbol: "ETH",
    ...more,
  });
}

/** Returns a network as the running service does: URLs with a provider's key are not masked. */
function network(network_type: string, name: string, fields: JsonObject): Resource {
  const rpc_urls = [{ url: `https://${network_type}-${name}.rpc.example.org/v2/ZGVtby1rZXk`, weight: 100 }];
  const explorer_urls = [`https://${network_type}-${name}.explorer.example.org`];
  return { id: `${network_type}:${name}`, name, network_type, rpc_urls, explorer_urls, ...fields };
}
