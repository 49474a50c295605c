import { policyCap, relayerPolicies } from "../../contract/policy.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { type Transaction, txStatus } from "../../contract/transaction/transaction.ts";
import { type FeeHistory, readFeeHistory } from "../evm/fee-history.ts";
import { addressQuantity, hashOf, quantity } from "../evm/quantity.ts";
import { readBalance, readEvmTransaction } from "../evm/read-evm.ts";
import { type NetworkFacts, networkReplacesUnraised } from "../network.ts";
import { type ChainNode, isNodeSilent, type NodeFault, type Reading, readFromNode } from "../node/node.ts";
import { costAtFees, type Fees, feeMarket, feesInPool, feesOf, legacyFeeMarket, type Market } from "./fees.ts";
import { predictReplacement } from "./predict.ts";
import type { Prediction, ReplacementQuestion } from "./prediction.ts";

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
  const address = addressQuantity(relayer.address);
  const isAsked = missing.every(({ fault }) => !isNodeSilent(fault)) && mayLackBalance(question, prediction);
  if (!node || address === undefined || !isAsked) return { prediction, missing };
  const balance = await readBalance(node, address);
  if ("value" in balance) return { prediction: predictReplacement({ ...question, balance: balance.value }), missing };
  return { prediction, missing: [...missing, { part: "balance", fault: balance.fault }] };
}

/** Returns the price of the version that waits under a hash; null if none does or the price is unknown. */
export async function readWaitingPrice(node: ChainNode, hash: Transaction["hash"]): Promise<Fees | null> {
  const known = hashOf(hash);
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
    const price = await readFromNode(node, "eth_gasPrice", [], quantity);
    return "fault" in price ? price : { value: { market: legacyFeeMarket(price.value) } };
  }
  const history = await readFeeHistory(node);
  if ("fault" in history) return history;
  const { value } = history;
  return { value: { market: feeMarket(value, blockTime), baseFee: value.baseFee, history: value } };
}
