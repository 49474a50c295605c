import { wireAmount, withPoint } from "../../contract/amount.ts";
import { isJsonObject } from "../../contract/json.ts";
import type { SponsoredKind } from "../../contract/requests.ts";
import type { Resource } from "../state/collection.ts";

/** The cost of a transaction, in the network's smallest unit and in a token. */
export interface Fee {
  own: bigint;
  /** In the token's smallest unit, rounded up. */
  inToken: bigint;
  /** The same in whole tokens, for display. */
  inTokenUi: string;
  /** The value of one SOL or XLM in the token. */
  rate: string;
}

/** The fees and rates of a network. */
interface Market {
  /** The decimals of the network's own coin. */
  decimals: number;
  /** The cost of a signature on Solana or an operation on Stellar, in the smallest unit. */
  cost: bigint;
  /** The value of one SOL or XLM in any token, in hundredths. */
  rate: bigint;
  /** The decimals of a token that no policy lists: the most common value. */
  tokenDecimals: number;
}

const MARKETS: Record<SponsoredKind, Market> = {
  solana: { decimals: 9, cost: 5_000n, rate: 15_173n, tokenDecimals: 6 },
  stellar: { decimals: 7, cost: 100n, rate: 10n, tokenDecimals: 7 },
};
const PAR = 100n;
const RATE_DECIMALS = 2;
const MOST_DECIMALS = 255n;

/**
 * Returns the fee of a transaction with this number of parts, plus the one that pays the fee: signatures on Solana,
 * operations on Stellar.
 */
export function feeOf(kind: SponsoredKind, relayer: Resource, token: string, parts: number): Fee {
  const { decimals, cost, rate: usual, tokenDecimals: usualDecimals } = MARKETS[kind];
  const own = cost * BigInt(parts + 1);
  const rate = isNative(token) ? PAR : usual;
  const tokenDecimals = listedDecimals(relayer, token) ?? usualDecimals;
  const inToken = roundedUp(own * rate * 10n ** BigInt(tokenDecimals), PAR * 10n ** BigInt(decimals));
  return { own, inToken, inTokenUi: withPoint(inToken, tokenDecimals), rate: withPoint(rate, RATE_DECIMALS) };
}

function isNative(token: string): boolean {
  return ["native", "XLM", ""].includes(token);
}

/** Returns the token's decimals from the relayer's policy (facts 4.3). */
function listedDecimals({ policies }: Resource, token: string): number | undefined {
  const listed = isJsonObject(policies) && Array.isArray(policies.allowed_tokens) ? policies.allowed_tokens : [];
  const entry = listed.filter(isJsonObject).find(({ mint, asset }) => (mint ?? asset) === token);
  const known = wireAmount(isJsonObject(entry?.metadata) ? entry.metadata.decimals : entry?.decimals);
  return known === undefined || known > MOST_DECIMALS ? undefined : Number(known);
}

function roundedUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
