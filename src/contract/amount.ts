import { nearestChoice, nearestName } from "../nearest.ts";
import { LONGEST_NUMBER } from "./decimal.ts";
import { isJsonInteger, type JsonValue, NumberLiteral } from "./json.ts";
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
const RESERVED = ["wei", "kwei", "mwei", "gwei", "ether", "lamport", "lamports", "stroop", "stroops"];
const OTHER_KINDS = ["sol", "xlm"];

/** Returns whether a text can be the symbol of an EVM coin: letters and digits, not a unit or an exponent (`e18`). */
export function isEvmSymbol(text: unknown): text is string {
  if (typeof text !== "string" || !/^(?!e[0-9])[a-z][a-z0-9]{0,11}$/i.test(text)) return false;
  return ![...RESERVED, ...OTHER_KINDS].includes(text.toLowerCase());
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
  return [...RESERVED, ...OTHER_KINDS].includes(text.toLowerCase()) || isKnownSymbol(text);
}

const UNITS: Readonly<Record<BaseUnit, Readonly<Record<string, number>>>> = {
  wei: { wei: 0, kwei: 3, mwei: 6, gwei: 9 },
  lamport: { lamport: 0, lamports: 0 },
  stroop: { stroop: 0, stroops: 0 },
};

/** A text that is not an amount; the message has the reason and an example. */
export class AmountError extends Error {
  override readonly name = "AmountError";
}

/** Returns what is read, or what `otherwise` makes of the reason that it is not an amount. */
export function amountOr<T, U = undefined>(read: () => T, otherwise = (_rule: string): U => undefined as U): T | U {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    return otherwise(error.message);
  }
}

const AMOUNT = /^(?!0x)([0-9]+)(?:\.([0-9]+))?(?: ?((?!e[0-9])[a-z][a-z0-9]*))?$/i;
const HEX = /^0x[0-9a-f]+$/i;

/**
 * How to interpret a number without a unit: as the smallest unit in a file (`any`), likewise on a command line except
 * for a gas price below 1 gwei (`line`), and only 0 at a prompt (`prompt`).
 */
export type Bare = "any" | "line" | "prompt";

export interface TypedAmount {
  amount: bigint;
  /** `pol`, as typed. */
  coin?: string;
}

/**
 * Parses an amount exactly: `1.5eth`, `50 gwei`, plain digits (the smallest unit), or `0x` digits. One space may
 * precede the unit; no exponent, sign, or separator, and no more decimals than the unit has. @throws AmountError
 */
export function parseAmount(text: string, currency: Currency, bare: Bare = "any"): bigint {
  const { amount, coin } = readAmount(text, currency, bare);
  const problem = coin === undefined ? undefined : coinProblem(text, coin, currency);
  if (problem !== undefined) throw new AmountError(problem);
  return amount;
}

/** Parses an EVM amount whose network is determined later: any coin may be its unit. @throws AmountError */
export function readAmount(text: string, currency: Currency, bare: Bare = "any"): TypedAmount {
  if (text.length > LONGEST_NUMBER) throw new AmountError(`has more than ${LONGEST_NUMBER} characters`);
  if (HEX.test(text)) return { amount: bareAmount(BigInt(text), currency, bare) };
  const found = AMOUNT.exec(text);
  if (!found) throw new AmountError(`needs digits, optionally with a unit, e.g. ${amountExample(currency, bare)}`);
  const [, whole = "", decimals = "", unit = ""] = found;
  if (!unit && decimals) throw new AmountError(needsUnit(`${whole}.${decimals}`, currency, bare));
  if (!unit) return { amount: bareAmount(BigInt(whole), currency, bare) };
  const { zeros, coin } = lookUpUnit(unit, text, currency);
  if (decimals.length > zeros) throw new AmountError(`has more decimals than ${unit} (${zeros} at most)`);
  return { amount: BigInt(whole + decimals.padEnd(zeros, "0")), ...(coin && { coin: unit }) };
}

function lookUpUnit(unit: string, text: string, currency: Currency): { zeros: number; coin: boolean } {
  const { base, symbol } = currency;
  const lower = unit.toLowerCase();
  const zeros = Object.entries(UNITS[base]).find(([name]) => name === lower)?.[1];
  if (zeros !== undefined) return { zeros, coin: false };
  const isCoin = coinUnits(symbol).includes(lower) || (base === "wei" && mayBeCoin(lower));
  if (!isCoin) throw new AmountError(coinProblem(text, unit, currency) ?? "");
  return { zeros: COIN_DECIMALS[base], coin: base === "wei" };
}

/** Returns whether a unit may be an EVM network's coin. A unit similar to a smaller unit is a typo. */
function mayBeCoin(unit: string): boolean {
  if (unit === "ether" || isKnownSymbol(unit)) return true;
  return isEvmSymbol(unit) && nearestName(unit, [...Object.keys(UNITS.wei), "ether"]) === undefined;
}

export function coinProblem(text: string, coin: string, { base, symbol, network }: Currency): string | undefined {
  const typed = coin.toLowerCase();
  if (coinUnits(symbol).includes(typed)) return undefined;
  const units = symbol === undefined ? ["eth", "ether", "or the network's own coin"] : coinUnits(symbol);
  const known = [...Object.keys(UNITS[base]), ...units];
  if (symbol === undefined || !isCoinName(typed)) return `has an unknown unit${nearestChoice([typed], known)}`;
  return `the coin of ${typeof network === "string" ? network : "this network"} is ${symbol}: ${withUnit(text, symbol)}`;
}

function coinUnits(symbol: string | undefined): string[] {
  if (symbol === undefined) return [];
  return symbol === "ETH" ? ["eth", "ether"] : [symbol.toLowerCase()];
}

/** Returns whether a unit can be a coin's name. A mistyped unit cannot: nothing may suggest `5pol` for `5gwie`. */
function isCoinName(typed: string): boolean {
  return ["sol", "xlm", "ether"].includes(typed) || isKnownSymbol(typed);
}

function withUnit(text: string, symbol: string): string {
  return text.replace(/ ?[a-z][a-z0-9]*$/i, "") + symbol.toLowerCase();
}

const LEAST_BARE = BigInt(LEAST_BARE_GWEI) * 10n ** 9n;

function bareAmount(amount: bigint, currency: Currency, bare: Bare): bigint {
  if (amount === 0n || bare === "any") return amount;
  if (bare === "prompt") throw new AmountError(unitProblem(amount, currency));
  if (!currency.perGas || amount >= LEAST_BARE) return amount;
  throw new AmountError(unitProblem(amount, currency));
}

function unitProblem(amount: bigint, currency: Currency): string {
  const small = currency.base === "wei" ? "wei" : `${currency.base}s`;
  const usual = usualUnit(currency, "prompt");
  return `has no unit: did you mean ${amount}${usual}? (${amount}${small} if you do mean ${small})`;
}

function needsUnit(number: string, currency: Currency, bare: Bare): string {
  const whole = bare === "prompt" ? "" : ` or a whole number of ${currency.base}`;
  return `needs a unit${whole}, e.g. ${number}${usualUnit(currency, bare)}`;
}

function usualUnit({ perGas, symbol }: Currency, bare: Bare): string {
  if (perGas) return "gwei";
  return symbol?.toLowerCase() ?? (bare === "prompt" ? "gwei" : "eth");
}

function amountExample(currency: Currency, bare: Bare): string {
  const usual = usualUnit(currency, bare);
  if (currency.perGas) return bare === "prompt" ? "30gwei or 1.5gwei" : "30gwei, 1.5gwei or 1500000000";
  if (currency.base === "stroop") return "0.1xlm or 5000stroop";
  if (currency.base === "lamport") return bare === "prompt" ? "0.01sol or 5000lamports" : "0.01sol or 5000";
  const examples = usual === "gwei" ? ["80gwei"] : [`1.5${usual}`, "80gwei"];
  return bare === "prompt" ? examples.join(" or ") : `${examples.join(", ")} or 21000`;
}

/** Returns the integer of a value in a form that the service writes or reads (facts 5.2, 5.3); undefined for others. */
export function wireAmount(value: JsonValue | undefined): bigint | undefined {
  if (isJsonInteger(value)) return BigInt(value);
  const text = value instanceof NumberLiteral ? value.text : value;
  if (typeof text !== "string" || text.length > LONGEST_NUMBER) return undefined;
  if (text === value) {
    const digits = text.replaceAll("_", "");
    return /^(?:[0-9]+|0x[0-9a-f]+|0o[0-7]+|0b[01]+)$/i.test(digits) ? BigInt(digits) : undefined;
  }
  return /^[0-9]+\.0+$/.test(text) ? BigInt(text.split(".")[0] ?? "") : undefined;
}

/** The size from which an amount is typed in the coin itself. */
const TYPED_FROM: Readonly<Record<BaseUnit, bigint>> = { wei: 10n ** 9n, lamport: 10n ** 5n, stroop: 10n ** 4n };

/** Formats in the coin (`0.00063 POL`), or in the smallest unit if the coin is unknown. Prices are in gwei. */
export function formatAmount(amount: bigint, { base, symbol, perGas }: Currency): string {
  if (perGas) return `${withPoint(amount, 9)} gwei`;
  if (symbol === undefined) return amount === 0n ? "0" : `${amount} ${base}`;
  return `${withPoint(amount, COIN_DECIMALS[base])} ${symbol}`;
}

/** Formats a price per gas: `80 gwei`. The largest, which stands for a cap that limits nothing, has 39 digits. */
export function priceText(price: bigint): string {
  return price === MAX_U128 ? "2^128-1 wei" : formatAmount(price, GAS_PRICE);
}

export function isPositive(value: JsonValue | undefined): boolean {
  return (wireAmount(value) ?? 0n) > 0n;
}

/** Returns the amount as typed, without a space: `80gwei`. */
export function typedAmount(amount: bigint, currency: Currency): string {
  const least = currency.perGas ? 10n ** 6n : TYPED_FROM[currency.base];
  if (amount < least) return `${amount}${currency.base}`;
  return formatAmount(amount, currency).replace(" ", "").toLowerCase();
}

/** Returns a price per gas to type, `84.2gwei`: above 1 gwei with one decimal, rounded up, but at most the limit. */
export function suggestedPrice(price: bigint, limit?: bigint): string {
  const step = price > 10n ** 9n ? 10n ** 8n : 1n;
  const rounded = ((price + step - 1n) / step) * step;
  const isAbove = limit !== undefined && rounded > limit;
  return typedAmount(isAbove ? limit : rounded, { base: "wei", symbol: undefined, perGas: true });
}

/** Returns an amount as typed next to the smallest unit, `0.01eth = 10000000000000000 wei`, if shorter. */
export function convertedAmount(amount: bigint, currency: Currency): string | undefined {
  const typed = typedAmount(amount, currency);
  return typed.length < String(amount).length ? `${typed} = ${amount} ${currency.base}` : undefined;
}

export function withPoint(amount: bigint, zeros: number): string {
  if (zeros === 0) return String(amount);
  const sign = amount < 0n ? "-" : "";
  const digits = String(amount < 0n ? -amount : amount).padStart(zeros + 1, "0");
  const decimals = digits.slice(-zeros).replace(/0+$/, "");
  return sign + digits.slice(0, -zeros) + (decimals && `.${decimals}`);
}

/** The largest integers that a request may contain (interface 1.5). */
export const MAX_U32 = 2n ** 32n - 1n;
export const MAX_INT64 = 2n ** 63n - 1n;
export const MAX_U64 = 2n ** 64n - 1n;
export const MAX_U128 = 2n ** 128n - 1n;
/** The maximum `value` of a new transaction (facts 5.3). */
export const MAX_U256 = 2n ** 256n - 1n;
