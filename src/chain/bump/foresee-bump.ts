import { wireAmount } from "../../contract/amount.ts";
import { networkKind } from "../../contract/network-kind.ts";
import { receivedTime } from "../../contract/reply/received-time.ts";
import { isServiceRecord } from "../../contract/service-record.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import type { Speed } from "../evm/fee-history.ts";
import { replacesUnraised } from "../network.ts";
import { mostPerGas } from "../replacement/fees.ts";
import { predict } from "../replacement/predict.ts";
import type { Prediction, ReplacementQuestion } from "../replacement/prediction.ts";
import { readWaiting } from "../replacement/read-prediction.ts";
import { baseFeeAt } from "./base-fee-then.ts";
import { type BumpRequest, bumpRequest, type Unbumpable } from "./bump-request.ts";
import type { Surroundings } from "./surroundings.ts";

/** A bump before it is sent, with what is known about it. */
export interface ForeseenBump {
  relayerId: string;
  /** The transaction as it is now. */
  record: Transaction;
  request: BumpRequest;
  /** What was asked of `predict`, so that it can be asked again with another cap. */
  question: ReplacementQuestion;
  prediction: Prediction;
  surroundings: Surroundings;
  /**
   * Whether the prediction is known to hold: only for a record of the real service, or of the demo, on a network that
   * the service describes.
   */
  isKnown: boolean;
  /** How many transactions of the account are mined before it; negative if its nonce is used. Undefined if not known. */
  ahead: bigint | undefined;
  /** The base fee when it was sent, in wei per gas; undefined if not known. */
  baseFeeThen: bigint | undefined;
  /** Set if the relayer's cap has to be raised for it; the prediction is the one with the raised cap. In wei per gas. */
  raisedCap?: { from: bigint; to: bigint };
}

/** A transaction that is to be bumped. */
interface WantedBump {
  relayerId: string;
  record: Transaction;
  speed: Speed;
  /** Milliseconds since 1970. */
  now: number;
  /** Whether it is one of the demo, which prices a bump like the real service. */
  isDemo?: boolean;
}

/** Returns what a bump will do, or why there is none. Asks the node at most three more times. */
export async function foreseeBump(
  surroundings: Surroundings,
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
    prediction: predict(question),
    isKnown: chain.network.chainId !== undefined && (isDemo || isServiceRecord(record, "evm")),
    ahead: nonce === undefined || nextNonce === undefined ? undefined : nonce - nextNonce,
    baseFeeThen: await baseFeeAt(surroundings, receivedTime(record.sent_at), now),
  };
}

/**
 * Compares a bump with the most that it may pay per gas, in wei: `above` if the least price is higher already, and
 * `unknown` if the market could not be read and no cap keeps the price below.
 */
export function compareWithMost({ prediction, question }: ForeseenBump, most: bigint): "within" | "above" | "unknown" {
  const { broadcast, response, cap } = prediction;
  const least = broadcast ?? response;
  if (least && mostPerGas(least) > most) return "above";
  const isCapped = cap !== undefined && cap <= most && question.change === "replace";
  return question.market || isCapped ? "within" : "unknown";
}
