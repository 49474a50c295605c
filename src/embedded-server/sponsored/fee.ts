import { wireAmount, withPoint } from "../../contract/amount.ts";
import { isJsonObject } from "../../contract/json.ts";
import type { SponsoredKind } from "../../contract/requests.ts";
import type { Resource } from "../state/collection.ts";

/** What a transaction costs, in the network's own smallest unit and in a token. */
export interface Fee {
  own: bigint;
  /** In the token's smallest unit, rounded up. */
  inToken: bigint;
  /** The same as a person writes it. */
  inTokenUi: string;
  /** How much of the token one SOL or XLM is worth. */
  rate: string;
}

/** What a network and its market are like here. */
interface Market {
  /** Of the network's own coin. */
  decimals: number;
  /** A signature on Solana, an operation on Stellar, in the smallest unit. */
  cost: bigint;
  /** How much of any token one SOL or XLM is worth, in hundredths. */
  rate: bigint;
  /** Of a token that no policy lists: as nearly all have them. */
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
 * The fee of a transaction of so many parts, beside which another pays the fee: signatures on Solana, operations on
 * Stellar.
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

/** As the relayer's policy lists the token (facts 4.3). */
function listedDecimals({ policies }: Resource, token: string): number | undefined {
  const listed = isJsonObject(policies) && Array.isArray(policies.allowed_tokens) ? policies.allowed_tokens : [];
  const entry = listed.filter(isJsonObject).find(({ mint, asset }) => (mint ?? asset) === token);
  const known = wireAmount(isJsonObject(entry?.metadata) ? entry.metadata.decimals : entry?.decimals);
  return known === undefined || known > MOST_DECIMALS ? undefined : Number(known);
}

function roundedUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
