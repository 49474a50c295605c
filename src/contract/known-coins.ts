/** The coins of the service's default EVM networks, and of other common names for them. */
const NETWORKS: Readonly<Record<string, string>> = {
  ETH:
    "mainnet ethereum sepolia holesky hoodi goerli arbitrum arbitrum-one arbitrum-nova arbitrum-sepolia optimism " +
    "optimism-sepolia base base-sepolia unichain unichain-sepolia world-chain world-chain-sepolia abstract " +
    "abstract-sepolia linea linea-sepolia scroll scroll-sepolia zk-sync zk-sync-testnet polygon-zkevm " +
    "polygon-zkevm-testnet aurora aurora-testnet localhost-anvil localhost-anvil-docker localhost-integration",
  POL: "polygon polygon-amoy amoy",
  BNB: "binance-smart-chain binance-smart-chain-testnet bsc bsc-testnet",
  AVAX: "avalanche avalanche-fuji",
  xDAI: "gnosis gnosis-chiado xdai",
  CELO: "celo celo-alfajores celo-baklava",
  FTM: "fantom fantom-testnet",
  MNT: "mantle mantle-sepolia",
  SEI: "sei-mainnet sei-atlantic-2",
  SOPH: "sophon sophon-testnet",
  GLMR: "moonbeam",
  MOVR: "moonriver",
  DEV: "moonbase",
  FUSE: "fuse",
  SPARK: "fuse-spark",
  JOC: "japan-open-chain japan-open-chain-testnet",
  DOT: "polkadot-hub",
  PAS: "polkadot-hub-testnet",
};

/** Returns the symbol of a well-known EVM network's coin; undefined for other networks. */
export function knownSymbol(network: unknown): string | undefined {
  return Object.keys(NETWORKS).find((symbol) => NETWORKS[symbol]?.split(" ").some((name) => name === network));
}

/** Former symbols of renamed coins, which services may still use. */
const FORMER = ["MATIC"];

/** Returns whether a well-known EVM network has or had this coin, ignoring case. */
export function isKnownSymbol(symbol: string): boolean {
  return [...Object.keys(NETWORKS), ...FORMER].some((known) => known.toLowerCase() === symbol.toLowerCase());
}
