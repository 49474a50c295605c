import type { JsonValue } from "./json.ts";
import type { NetworkKind } from "./network-kind.ts";

/** A lower gas price needs its unit: a bare number would be wei, and is likely meant in gwei. */
export const LEAST_BARE_GWEI = 1;

/** The smallest unit of a network kind's coin: wei (EVM), lamport (Solana), stroop (Stellar). */
export type BaseUnit = "wei" | "lamport" | "stroop";

export const BASE_UNIT: Record<NetworkKind, BaseUnit> = { evm: "wei", solana: "lamport", stellar: "stroop" };

export interface Currency {
  base: BaseUnit;
  /** E.g. `POL`; undefined if the coin is unknown. Solana has SOL, Stellar XLM. */
  symbol: string | undefined;
  network?: JsonValue | undefined;
  /** Set for a gas price, which is always shown in gwei. */
  perGas?: true;
}

export const COIN_DECIMALS: Readonly<Record<BaseUnit, number>> = { wei: 18, lamport: 9, stroop: 7 };

export const LAMPORTS: Currency = { base: "lamport", symbol: "SOL" };
export const STROOPS: Currency = { base: "stroop", symbol: "XLM" };
export const WEI: Currency = { base: "wei", symbol: undefined };
export const GAS_PRICE: Currency = { ...WEI, perGas: true };

export function currencyOf(kind: NetworkKind, symbol?: string): Currency {
  if (kind === "solana") return LAMPORTS;
  return kind === "stellar" ? STROOPS : { base: "wei", symbol };
}

/** Returns the currency of a coin by its symbol, which on test networks has more words. */
export function currencyNamed(coin: string | undefined): Currency {
  const found = [LAMPORTS, STROOPS].find(({ symbol }) => symbol === coin?.split(" ")[0]);
  return { ...(found ?? WEI), symbol: coin };
}

/** Units that no coin can have as its symbol, so that `5 gwei` is unambiguous. */
const UNITS = ["wei", "kwei", "mwei", "gwei", "ether", "lamport", "lamports", "stroop", "stroops"];
const OTHER_KINDS = ["sol", "xlm"];

/** Returns whether a text can be the symbol of an EVM coin: letters and digits, not a unit or an exponent (`e18`). */
export function isEvmSymbol(text: unknown): text is string {
  if (typeof text !== "string" || !/^(?!e[0-9])[a-z][a-z0-9]{0,11}$/i.test(text)) return false;
  return ![...UNITS, ...OTHER_KINDS].includes(text.toLowerCase());
}

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

export function knownSymbol(network: unknown): string | undefined {
  return Object.keys(NETWORKS).find((symbol) => NETWORKS[symbol]?.split(" ").some((name) => name === network));
}

/** Former symbols of renamed coins, which services may still use. */
const FORMER = ["MATIC"];

/** Returns whether a well-known EVM network has or had this coin, ignoring case. */
export function isKnownSymbol(symbol: string): boolean {
  return [...Object.keys(NETWORKS), ...FORMER].some((known) => known.toLowerCase() === symbol.toLowerCase());
}

/** Returns whether a text is the unit of an amount in some coin, ignoring case. */
export function isCoinUnit(text: string): boolean {
  return [...UNITS, ...OTHER_KINDS].includes(text.toLowerCase()) || isKnownSymbol(text);
}
