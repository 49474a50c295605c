import { policyCap, relayerPolicies } from "../../contract/policy.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { SPEEDS } from "../../contract/transaction/replacement-price.ts";
import { isNoopTx, isPending, type Transaction, txStatus } from "../../contract/transaction/transaction.ts";
import { type FeeHistory, readFeeHistory, type Speed } from "../evm/fee-history.ts";
import { hexAddress, hexHash, parseQuantity } from "../evm/quantity.ts";
import { readBalance, readEvmTransaction } from "../evm/read-evm.ts";
import { type NetworkFacts, networkReplacesUnraised } from "../network.ts";
import { type ChainNode, isNodeSilent, type NodeFault, type Reading, readFromNode } from "../node/node.ts";
import {
  capFees,
  costAtFees,
  type Fees,
  feeList,
  feeMarket,
  feesInPool,
  feesOf,
  feesShortOf,
  higherFees,
  highestFee,
  legacyFeeMarket,
  type Market,
  mostFeePerGas,
  raisedFees,
} from "./fees.ts";
import type { Obstacle, Prediction, ReplacementQuestion, WayOut } from "./prediction.ts";

type Outcome = Pick<Prediction, "response" | "broadcast"> & { obstacle?: Obstacle | undefined };

/** Predicts what the service will do with a replacement or a cancellation of an EVM transaction (facts 15.1 to 15.3). */
export function predictReplacement(question: ReplacementQuestion): Prediction {
  const { change, record, cap, baseFee } = question;
  const outcome = afterBalance(question, predictOutcome(question));
  return {
    change,
    speed: speedFor(question),
    now: feesOf(record),
    response: outcome.response,
    broadcast: outcome.obstacle ? undefined : outcome.broadcast,
    ...{ cap, baseFee },
    obstacle: outcome.obstacle,
    waysOut: outcome.obstacle ? waysOut(question, outcome.obstacle) : [],
  };
}

function predictOutcome(question: ReplacementQuestion): Outcome {
  const { record, change } = question;
  const nothing = { response: undefined, broadcast: undefined };
  if (!isPending(record)) return { ...nothing, obstacle: { kind: "over" } };
  const old = feesOf(record);
  // It is canceled at once (facts 5.5).
  if (change === "cancel" && txStatus(record) === "pending") return { ...nothing, response: old };
  const market = question.market?.(speedFor(question));
  const isOtherType = old && market && feeList(old).some(([member]) => market[member] === undefined);
  if (!old || isOtherType) return { ...nothing, ...(change === "replace" && { obstacle: { kind: "unpriced" } }) };
  return question.isUnraised ? unraisedOutcome(question, old, market) : raisedOutcome(question, old, market);
}

/** The request raises the price, even above the cap, and the worker raises it again, now capped (facts 15.1, 15.12). */
function raisedOutcome(question: ReplacementQuestion, old: Fees, market: Fees | undefined): Outcome {
  const { change, record, cap, baseFee } = question;
  const isCancellation = change === "cancel";
  const response = isCancellation ? old : higherFees(raisedFees(old), market && capFees(market, cap));
  // The original is being sent, and mostly wins at any price (facts 13.1, 13.2), unless the node refused it.
  const isRefused = baseFee !== undefined && mostFeePerGas(old) < baseFee;
  if (txStatus(record) === "sent" && !isRefused) return { response, broadcast: undefined };
  // It could not be signed before, so the requested version is sent (facts 16.2, 16.3).
  if (txStatus(record) === "pending")
    return { response, broadcast: response, obstacle: belowBaseFee(question, response) };
  const least = raisedFees(response);
  const broadcast = higherFees(least, market);
  if (isUncapped(question)) return { response, broadcast };
  const short = feesShortOf(capFees(least, cap), least);
  if (!short) return { response, broadcast: capFees(broadcast, cap) };
  return {
    response,
    broadcast,
    obstacle: { kind: "cap", short, needed: highestFee(raisedFees(higherFees(raisedFees(old), market))) },
  };
}

/** Request and worker use the market's price, which the node compares with the waiting version's (facts 15.2, 15.3). */
function unraisedOutcome(question: ReplacementQuestion, old: Fees, market: Fees | undefined): Outcome {
  const { change, cap } = question;
  const response = change === "cancel" ? old : market && capFees(market, cap);
  if (!market) return { response, broadcast: undefined };
  const broadcast = isUncapped(question) ? market : capFees(market, cap);
  const waiting = waitingFees(question, old);
  const needed = waiting && raisedFees(waiting);
  const lacking = needed && feesShortOf(market, needed);
  if (lacking) return { response, broadcast, obstacle: { kind: "market", short: lacking, needed, market } };
  const short = needed && feesShortOf(broadcast, needed);
  if (short) return { response, broadcast, obstacle: { kind: "cap", short, needed: highestFee(needed) } };
  if (txStatus(question.record) === "sent") return { response, broadcast: undefined };
  return { response, broadcast, obstacle: belowBaseFee(question, broadcast) };
}

/** A node refuses prices below its base fee (facts 16.4). The market's price never is, so the cap lowered it. */
function belowBaseFee({ baseFee }: ReplacementQuestion, fees: Fees): Obstacle | undefined {
  const [member, price] = feeList(fees)[0] ?? [];
  if (member === undefined || price === undefined || baseFee === undefined || price >= baseFee) return undefined;
  return { kind: "cap", short: { [member]: baseFee - price }, needed: baseFee };
}

function waitingFees({ record, waiting }: ReplacementQuestion, old: Fees): Fees | undefined {
  if (waiting !== undefined) return waiting ?? undefined;
  return txStatus(record) === "submitted" ? old : undefined;
}

/** Adds what the balance forbids: the service and the node refuse what it does not cover (facts 5.4, 16.4). */
function afterBalance({ change, body, balance }: ReplacementQuestion, outcome: Outcome): Outcome {
  if (outcome.obstacle || !outcome.broadcast || balance === undefined) return outcome;
  const needed = costAtFees(change === "replace" ? (body ?? {}) : {}, outcome.broadcast);
  if (balance >= needed) return outcome;
  return { ...outcome, obstacle: { kind: "balance", short: needed - balance, needed } };
}

function waysOut(question: ReplacementQuestion, obstacle: Obstacle): WayOut[] {
  const canBeCanceled = question.change === "replace" && isClear({ ...question, change: "cancel" });
  const cancel: WayOut[] = canBeCanceled ? [{ way: "cancel" }] : [];
  switch (obstacle.kind) {
    case "over":
      return [];
    case "unpriced":
      return [...(txStatus(question.record) === "pending" ? [{ way: "wait-for-price" } as const] : []), ...cancel];
    case "cap":
      return [{ way: "raise-cap", cap: obstacle.needed }, ...otherSpeed(question), ...cancel];
    case "market":
      return [...otherSpeed(question), { way: "wait-for-market", needed: obstacle.needed }, ...cancel];
    case "balance":
      return [{ way: "fund", amount: obstacle.short }, ...cancel];
  }
}

function otherSpeed(question: ReplacementQuestion): WayOut[] {
  if (question.change === "cancel" || !question.market) return [];
  const speed = SPEEDS.find((each) => isClear({ ...question, body: { ...question.body, speed: each } }));
  return speed === undefined ? [] : [{ way: "speed", speed }];
}

function isClear(question: ReplacementQuestion): boolean {
  return afterBalance(question, predictOutcome(question)).obstacle === undefined;
}

/** A no-op is not capped when the worker prices it, no matter who requested it (facts 15.1, 15.12). */
function isUncapped({ change, record: { from }, body = {} }: ReplacementQuestion): boolean {
  const { to = null, value = 0, data = null } = body;
  return change === "cancel" || isNoopTx({ from, to, value, data } as Transaction);
}

function speedFor({ change, record, body }: ReplacementQuestion): Speed {
  const requested = change === "replace" ? body?.speed : undefined;
  const known = (speed: unknown) => SPEEDS.find((each) => each === speed);
  return known(requested) ?? known(record.speed) ?? "fast";
}

interface ConsideredChange extends Pick<ReplacementQuestion, "record" | "change" | "body"> {
  relayer: Pick<Relayer, "address" | "policies">;
  network: NetworkFacts;
  /** Undefined if no node can be asked. */
  node: ChainNode | undefined;
  /** Whether the market is read even if it can't be an obstacle. */
  readsMarket: boolean;
}

interface PredictionRead {
  prediction: Prediction;
  missing: readonly { part: "market" | "balance"; fault: NodeFault }[];
}

/** Asks for market, waiting version, and balance, as far as needed. A node that does not respond stops nothing. */
export async function readPrediction(change: ConsideredChange): Promise<PredictionRead> {
  const { record, relayer, network, node } = change;
  const isUnraised = networkReplacesUnraised(network);
  const isPriced =
    change.readsMarket || isUnraised || (change.change === "replace" && policyCap(relayer) !== undefined);
  const market = node && isPriced ? await readPredictedMarket(node, network, relayer) : undefined;
  const question: ReplacementQuestion = {
    ...{ record, change: change.change, body: change.body, cap: policyCap(relayer), isUnraised },
    ...(market && "value" in market && market.value),
    waiting: node && market && "value" in market && isUnraised ? await readWaitingPrice(node, record.hash) : null,
  };
  const missing: PredictionRead["missing"][number][] = [];
  if (market && "fault" in market) missing.push({ part: "market", fault: market.fault });
  const prediction = predictReplacement(question);
  const address = hexAddress(relayer.address);
  const isAsked = missing.every(({ fault }) => !isNodeSilent(fault)) && mayLackBalance(question, prediction);
  if (!node || address === undefined || !isAsked) return { prediction, missing };
  const balance = await readBalance(node, address);
  if ("value" in balance) return { prediction: predictReplacement({ ...question, balance: balance.value }), missing };
  return { prediction, missing: [...missing, { part: "balance", fault: balance.fault }] };
}

/** Returns the price of the version that waits under a hash; null if none does or the price is unknown. */
export async function readWaitingPrice(node: ChainNode, hash: Transaction["hash"]): Promise<Fees | null> {
  const known = hexHash(hash);
  const found = known === undefined ? undefined : await readEvmTransaction(node, known);
  if (!found || "fault" in found || !found.value || found.value.block !== undefined) return null;
  return feesInPool(found.value) ?? null;
}

function mayLackBalance(question: ReplacementQuestion, { obstacle, broadcast }: Prediction): boolean {
  if (obstacle || !broadcast) return false;
  const { record, change, body = {} } = question;
  const now = txStatus(record) === "submitted" ? feesOf(record) : undefined;
  return !now || costAtFees(change === "replace" ? body : {}, broadcast) > costAtFees(record, now);
}

/** Reads the market at a relayer's price type, and the base fee if that shows it (facts 5.3, 15.12). One request. */
export async function readPredictedMarket(
  node: ChainNode,
  { blockTime }: Pick<NetworkFacts, "blockTime">,
  relayer: Pick<Relayer, "policies"> | undefined,
): Promise<Reading<{ market: Market; baseFee?: bigint; history?: FeeHistory }>> {
  if (relayer && relayerPolicies(relayer).eip1559_pricing === false) {
    const price = await readFromNode(node, "eth_gasPrice", [], parseQuantity);
    return "fault" in price ? price : { value: { market: legacyFeeMarket(price.value) } };
  }
  const history = await readFeeHistory(node);
  if ("fault" in history) return history;
  const { value } = history;
  return { value: { market: feeMarket(value, blockTime), baseFee: value.baseFee, history: value } };
}
