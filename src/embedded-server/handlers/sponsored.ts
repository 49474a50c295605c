import { wireAmount, withPoint } from "../../contract/amount.ts";
import { isJsonObject, type JsonObject, objectsIn, writeJson } from "../../contract/json.ts";
import { relayerPolicies } from "../../contract/policy.ts";
import { type SponsoredVerb, sponsorProblem } from "../../contract/relayer-rules.ts";
import { type SponsoredKind, sponsoredSchemas } from "../../contract/requests.ts";
import type { WireRequest } from "../../contract/wire.ts";
import { digitSeed, hexDigits } from "../digits.ts";
import { type Handler, handlerJsonBody } from "../handler.ts";
import { badRequest, Refusal } from "../refusal.ts";
import type { Resource } from "../state/collection.ts";
import { lookUpActiveRelayer } from "../transaction/lookup.ts";
import { serverTime } from "../world.ts";

interface Fee {
  own: bigint;
  /** In the token's smallest unit, rounded up. */
  inToken: bigint;
  /** The same in whole tokens, for display. */
  inTokenUi: string;
  /** Of one SOL or XLM, in the token. */
  rate: string;
}

interface Market {
  decimals: number;
  /** The cost of a signature on Solana or an operation on Stellar, in the smallest unit. */
  cost: bigint;
  /** Of one SOL or XLM, in hundredths of any token. */
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

/** Returns a transaction's fee for its parts: signatures on Solana, operations on Stellar, and the payment. */
function buildFee(kind: SponsoredKind, relayer: Resource, token: string, parts: number): Fee {
  const { decimals, cost, rate: usual, tokenDecimals: usualDecimals } = MARKETS[kind];
  const own = cost * BigInt(parts + 1);
  const rate = ["native", "XLM", ""].includes(token) ? PAR : usual;
  const tokenDecimals = listedDecimals(relayer, token) ?? usualDecimals;
  const inToken = roundedUp(own * rate * 10n ** BigInt(tokenDecimals), PAR * 10n ** BigInt(decimals));
  return { own, inToken, inTokenUi: withPoint(inToken, tokenDecimals), rate: withPoint(rate, RATE_DECIMALS) };
}

/** Returns the token's decimals from the relayer's policy (facts 4.3). */
function listedDecimals(relayer: Resource, token: string): number | undefined {
  const entry = objectsIn(relayerPolicies(relayer).allowed_tokens).find(({ mint, asset }) => (mint ?? asset) === token);
  const known = wireAmount(isJsonObject(entry?.metadata) ? entry.metadata.decimals : entry?.decimals);
  return known === undefined || known > MOST_DECIMALS ? undefined : Number(known);
}

function roundedUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

interface Sponsorship {
  relayer: Resource;
  body: JsonObject;
  /** Milliseconds since 1970. */
  now: number;
}

/** The responses of facts 3.5. There is no market here: a fee is the same for the same transaction. */
const sponsoredResponses: Record<SponsoredVerb, Record<SponsoredKind, (sponsorship: Sponsorship) => JsonObject>> = {
  quote: { solana: quoteSolana, stellar: quoteStellar },
  build: { solana: buildSolana, stellar: buildStellar },
};

/** The type of a Stellar v1 envelope, and an empty list of signatures (Stellar-transaction.x). */
const V1 = "00000002";
const UNSIGNED = "00000000";

function unsignedEnvelope(body: JsonObject): string {
  const hex = V1 + hexDigits(digitSeed(writeJson(body)), 128) + UNSIGNED;
  const bytes = hex.match(/../g) ?? [];
  return btoa(String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 16))));
}

function quoteSolana(sponsorship: Sponsorship): JsonObject {
  const { inTokenUi, rate } = solanaFee(sponsorship);
  return { estimated_fee: inTokenUi, conversion_rate: rate };
}

function quoteStellar(sponsorship: Sponsorship): JsonObject {
  const { inToken, inTokenUi, rate } = stellarFee(sponsorship);
  return { fee_in_token_ui: inTokenUi, fee_in_token: String(inToken), conversion_rate: rate };
}

function buildSolana(sponsorship: Sponsorship): JsonObject {
  const { own, inToken } = solanaFee(sponsorship);
  const { body, now } = sponsorship;
  return {
    transaction: body.transaction ?? null,
    fee_in_spl: String(inToken),
    fee_in_lamports: String(own),
    fee_token: body.fee_token ?? null,
    valid_until_blockheight: blockHeightAt(now + VALIDITY),
  };
}

function buildStellar(sponsorship: Sponsorship): JsonObject {
  const { own, inToken, inTokenUi } = stellarFee(sponsorship);
  const { body, now } = sponsorship;
  return {
    transaction: body.transaction_xdr ?? unsignedEnvelope(body),
    fee_in_token: String(inToken),
    fee_in_token_ui: inTokenUi,
    fee_in_stroops: String(own),
    fee_token: body.fee_token ?? null,
    valid_until: serverTime(now + VALIDITY),
  };
}

function solanaFee({ relayer, body }: Sponsorship): Fee {
  return buildFee("solana", relayer, String(body.fee_token), 1);
}

function stellarFee({ relayer, body: { fee_token: token, operations } }: Sponsorship): Fee {
  return buildFee("stellar", relayer, String(token), Array.isArray(operations) ? operations.length : 1);
}

/** Two minutes in milliseconds (facts 3.5). */
const VALIDITY = 120_000;

/** Returns the block height at a time: Solana has created a block every 0.4 s since March 2020. */
function blockHeightAt(milliseconds: number): number {
  return Math.floor((milliseconds - Date.UTC(2020, 2, 16)) / 400);
}

/** Reads the body of a quote or build as an object, validated once the relayer is known. @throws Refusal */
export type ReadSponsored = (request: WireRequest) => JsonObject;

/** Accepts any object: the interface lacks this operation. */
const readObject: ReadSponsored = (request) => {
  const body = handlerJsonBody(request);
  if (!isJsonObject(body)) throw badRequest();
  return body;
};

/** Quotes or builds a sponsored transaction (facts 3.5). Nothing is stored: the client signs and sends the result. */
export function sponsorHandler(verb: SponsoredVerb, read: ReadSponsored): Handler {
  return async ({ ids: [id = ""], request, store, now }) => {
    const body = read(request);
    const kind = body.transaction === undefined ? "stellar" : "solana";
    return store.read((state) => {
      const relayer = lookUpActiveRelayer(state, id);
      const problem =
        sponsorProblem(relayer, kind, verb) ?? sponsoredSchemas[kind].safeParse(body).error?.issues[0]?.message;
      if (problem !== undefined) throw new Refusal(400, problem);
      return { data: sponsoredResponses[verb][kind]({ relayer, body, now }) };
    });
  };
}

export const quoteTransaction = sponsorHandler("quote", readObject);
export const buildTransaction = sponsorHandler("build", readObject);
