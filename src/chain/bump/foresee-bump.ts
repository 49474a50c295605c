import { wireAmount } from "../../contract/amount.ts";
import type { JsonObject, JsonValue } from "../../contract/json.ts";
import { type NetworkKind, networkKind } from "../../contract/network-kind.ts";
import { receivedTime } from "../../contract/reply/received-time.ts";
import { isServiceRecord } from "../../contract/service-record.ts";
import { isPending, isTxBeingCanceled, type Transaction } from "../../contract/transaction/transaction.ts";
import type { Speed } from "../evm/fee-history.ts";
import { hexAddress } from "../evm/quantity.ts";
import { type Block, readBalance, readEvmBlock, readNonce } from "../evm/read-evm.ts";
import { networkReplacesUnraised } from "../network.ts";
import { createMissing, isNodeSilent, type Reading } from "../node/node.ts";
import type { Chain } from "../open-chain.ts";
import { mostFeePerGas } from "../replacement/fees.ts";
import { predictReplacement, readPredictedMarket, readWaitingPrice } from "../replacement/predict.ts";
import type { Prediction, ReplacementQuestion } from "../replacement/prediction.ts";

/** How far the found block may be from the time, and how often the search is corrected. */
const CLOSE = 5;
const MOST_TRIES = 2;

/** Returns a block close to the time; undefined without a node, or if its blocks are too irregular. */
async function blockNear(
  { chain: { node, network }, head }: Pick<BumpFacts, "chain" | "head">,
  time: number,
  now: number,
): Promise<Block | undefined> {
  if (!head || !Number.isFinite(time)) return undefined;
  let pace = Math.max(network.blockTime, 1);
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const back = BigInt(Math.max(0, Math.round((head.time - time) / pace)));
    const at = back > head.number ? 0n : head.number - back;
    const found = at === head.number ? { value: head } : await readEvmBlock(node, at, now);
    if ("fault" in found) return undefined;
    const block = found.value;
    if (Math.abs(block.time - time) <= CLOSE * Math.max(pace, 1000)) return block;
    if (block.number === head.number) return undefined;
    pace = Math.max((head.time - block.time) / Number(head.number - block.number), 1);
  }
  return undefined;
}

export interface ForeseenBump {
  relayerId: string;
  record: Transaction;
  request: BumpRequest;
  /** The arguments of `predict`, to predict again with another cap. */
  question: ReplacementQuestion;
  prediction: Prediction;
  surroundings: BumpFacts;
  /** Whether the prediction is reliable: only for the real service or the demo, on a network it describes. */
  isKnown: boolean;
  /** How many transactions of the account are mined before it; negative if its nonce is used, undefined if unknown. */
  ahead: bigint | undefined;
  /** The base fee when it was sent, in wei per gas; undefined if unknown. */
  baseFeeThen: bigint | undefined;
  /** Set if the prediction needs this raised cap, in wei per gas. */
  raisedCap?: { from: bigint; to: bigint };
}

interface WantedBump {
  relayerId: string;
  record: Transaction;
  speed: Speed;
  now: number;
  /** Whether it belongs to the demo, which prices a bump like the real service. */
  isDemo?: boolean;
}

/** Returns what a bump will do, or why there is none. Sends at most three more requests to the node. */
export async function foreseeBump(
  surroundings: BumpFacts,
  { relayerId, record, speed, now, isDemo = false }: WantedBump,
): Promise<ForeseenBump | Unbumpable> {
  const request = bumpRequest(record, networkKind(surroundings.chain.relayer), speed);
  if (typeof request === "string") return request;
  const { chain, market, baseFee, balance, nextNonce } = surroundings;
  const isUnraised = networkReplacesUnraised(chain.network);
  const { change, body } = request;
  const waiting = isUnraised && market ? await readWaitingPrice(chain.node, record.hash) : undefined;
  const question = { record, change, body, cap: chain.cap, isUnraised, market, baseFee, balance, waiting };
  const nonce = wireAmount(record.nonce);
  return {
    ...{ relayerId, record, request, question, surroundings },
    prediction: predictReplacement(question),
    isKnown: chain.network.chainId !== undefined && (isDemo || isServiceRecord(record, "evm")),
    ahead: nonce === undefined || nextNonce === undefined ? undefined : nonce - nextNonce,
    baseFeeThen: (await blockNear(surroundings, receivedTime(record.sent_at), now))?.baseFee,
  };
}

/** Objections to a bump: `--force` overrides `change`, and nothing overrides `price`. */
export interface Objections {
  change?: "nonce_used" | "obstacle";
  price?: "max_fee" | "market_unknown";
}

/** An obstacle counts if the prediction is reliable, or for any service. @param maxFee wei per gas */
export function objectionsToBump(bump: ForeseenBump, maxFee: bigint | undefined): Objections {
  const { prediction, ahead, isKnown, question } = bump;
  const { broadcast, response, cap, obstacle } = prediction;
  const isObstacle = obstacle && (isKnown || obstacle.kind === "over" || obstacle.kind === "unpriced");
  const change = ahead !== undefined && ahead < 0n ? "nonce_used" : isObstacle ? "obstacle" : undefined;
  const least = broadcast ?? response;
  const isAbove = maxFee !== undefined && least && mostFeePerGas(least) > maxFee;
  const isCapped = cap !== undefined && maxFee !== undefined && cap <= maxFee && question.change === "replace";
  const isUnknown = maxFee !== undefined && !question.market && !isCapped;
  const price = isAbove ? "max_fee" : isUnknown ? "market_unknown" : undefined;
  return { ...(change && { change }), ...(price && { price }) };
}

type BumpRequest =
  | { change: "replace"; body: JsonObject }
  /** Cancels again a transaction that is being canceled: the service prices it again (facts 5.5, 15.12). */
  | { change: "cancel"; body?: undefined };

/** Why a transaction can't be sent again as it is, at any price. */
export type Unbumpable =
  /** The service doesn't replace transactions of this kind (facts 5.4). */
  | "solana"
  | "stellar"
  | "over"
  /** A call without a gas limit would be signed with 21000 gas, and fail (facts 5.4). */
  | "no_gas_limit"
  /** Its receiver is not an address, so it can never be signed (facts 16.3). */
  | "unsignable"
  | "no_value";

/** The service accepts hex without its prefix. */
const ADDRESS = /^(?:0x)?[0-9a-f]{40}$/i;

function bumpRequest(record: Transaction, kind: NetworkKind, speed: Speed): BumpRequest | Unbumpable {
  if (kind !== "evm") return kind;
  if (!isPending(record)) return "over";
  if (isTxBeingCanceled(record)) return { change: "cancel" };
  const { to, data, gas_limit: gasLimit } = record;
  if (!isAbsent(data) && data !== "0x" && isAbsent(gasLimit)) return "no_gas_limit";
  if (!isAbsent(to) && !ADDRESS.test(String(to))) return "unsignable";
  const value = wireAmount(record.value);
  if (value === undefined) return "no_value";
  const copied = { to, value, data, gas_limit: wireAmount(gasLimit) };
  const given = Object.entries(copied).filter(([, value]) => !isAbsent(value));
  return { change: "replace", body: { ...(Object.fromEntries(given) as JsonObject), speed } };
}

function isAbsent(value: JsonValue | undefined): boolean {
  return value === null || value === undefined || value === "";
}

/** What all bumps of a relayer share. Amounts are in wei. */
export type BumpFacts = Awaited<ReturnType<typeof readBumpFacts>>;

export async function readBumpFacts(chain: Chain, now: number) {
  const { node, network, relayer } = chain;
  const { missing, known } = createMissing();
  let isAsked = networkKind(relayer) === "evm";
  const ask = async <T>(reading: () => Promise<Reading<T>>): Promise<T | undefined> => {
    if (!isAsked) return undefined;
    const found = await reading();
    if ("fault" in found && isNodeSilent(found.fault)) isAsked = false;
    return known(found);
  };
  const market = await ask(() => readPredictedMarket(node, network, relayer));
  const head = await ask(() => readEvmBlock(node, "latest", now));
  const address = hexAddress(relayer?.address);
  const balance = address ? await ask(() => readBalance(node, address)) : undefined;
  const nextNonce = address ? await ask(() => readNonce(node, address, "latest")) : undefined;
  return {
    chain,
    market: market?.market,
    head,
    baseFee: head?.baseFee ?? market?.baseFee,
    balance,
    nextNonce,
    missing,
  };
}
