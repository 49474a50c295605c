import { wireAmount } from "../../contract/amount.ts";
import { networkKind } from "../../contract/network-kind.ts";
import { receivedTime } from "../../contract/reply/received-time.ts";
import { isServiceRecord } from "../../contract/service-record.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import type { Speed } from "../evm/fee-history.ts";
import { type Block, readBlock } from "../evm/node-reads.ts";
import { replacesUnraised } from "../network.ts";
import { mostPerGas } from "../replacement/fees.ts";
import { predictReplacement } from "../replacement/predict.ts";
import type { Prediction, ReplacementQuestion } from "../replacement/prediction.ts";
import { readWaiting } from "../replacement/read-prediction.ts";
import { type BumpRequest, bumpRequest, type Unbumpable } from "./bump-request.ts";
import type { BumpFacts } from "./surroundings.ts";

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
    const found = at === head.number ? { value: head } : await readBlock(node, at, now);
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
  const isUnraised = replacesUnraised(chain.network);
  const { change, body } = request;
  const waiting = isUnraised && market ? await readWaiting(chain.node, record.hash) : undefined;
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
export function objectionsTo(bump: ForeseenBump, maxFee: bigint | undefined): Objections {
  const { prediction, ahead, isKnown, question } = bump;
  const { broadcast, response, cap, obstacle } = prediction;
  const isObstacle = obstacle && (isKnown || obstacle.kind === "over" || obstacle.kind === "unpriced");
  const change = ahead !== undefined && ahead < 0n ? "nonce_used" : isObstacle ? "obstacle" : undefined;
  const least = broadcast ?? response;
  const isAbove = maxFee !== undefined && least && mostPerGas(least) > maxFee;
  const isCapped = cap !== undefined && maxFee !== undefined && cap <= maxFee && question.change === "replace";
  const isUnknown = maxFee !== undefined && !question.market && !isCapped;
  const price = isAbove ? "max_fee" : isUnknown ? "market_unknown" : undefined;
  return { ...(change && { change }), ...(price && { price }) };
}
