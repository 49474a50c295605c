import { readNonce } from "../../../chain/evm/read-evm.ts";
import { networkReplacesUnraised, readNetworkFacts } from "../../../chain/network.ts";
import { type ChainNode, relayerNode } from "../../../chain/node/node.ts";
import { type Fees, feesOf } from "../../../chain/replacement/fees.ts";
import { readPrediction } from "../../../chain/replacement/predict.ts";
import { type Prediction, predictCapObstacle } from "../../../chain/replacement/prediction.ts";
import { symbolFor } from "../../../coins/coin-symbol.ts";
import { currencyOf, WEI, wireAmount } from "../../../contract/amount.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { isServiceRecord } from "../../../contract/service-record.ts";
import { isNoopTx, PRICES, type Transaction, txStatus } from "../../../contract/transaction/transaction.ts";
import type { Row } from "../../../message.ts";
import type { Session } from "../../../session/session.ts";
import { FUNDS_TIMEOUT } from "../../../timing.ts";
import type { Manner } from "../manner.ts";
import type { Earlier, TxTarget } from "../transaction-write.ts";
import { predictionObstacleWords, predictionRows, refusePredicted } from "./prediction-words.ts";
import type { Followable } from "./show-broadcast.ts";

export interface Foreseen {
  rows: readonly Row[];
  /** The least price at which a replacement without a price is broadcast, which its rows don't contain. */
  fee?: Fees | undefined;
  warnings(after: Transaction): { warning: string }[];
  followable?: Followable | undefined;
}

const NOTHING: Foreseen = { rows: [], warnings: () => [] };

/** Refuses what can't work, unless `--force` is set or service or network are unknown. @throws conflict */
export async function foreseeReplacement(
  session: Session,
  change: TxTarget & { change: Prediction["change"]; body?: JsonObject },
  earlier: Earlier,
  { isForced, isAttended, isShown }: Manner,
): Promise<Foreseen> {
  const { data: record, state, relayer, kind } = earlier;
  if (!relayer || kind !== "evm" || state.status !== "submitted" || typeof record.hash !== "string") return NOTHING;
  const client = session.briefly(FUNDS_TIMEOUT);
  const { relayerId, change: verb, body } = change;
  const network = await readNetworkFacts(client.networks, relayer.network);
  const isKnown = network.chainId !== undefined && isServiceRecord(record, "evm");
  const node = isKnown ? relayerNode(client.relayers, relayer.id) : undefined;
  const considered = { record, change: verb, body, relayer, network, node, readsMarket: isShown };
  const { prediction, missing } = await readPrediction(considered);
  for (const { part, fault } of missing)
    await session.say({ note: `the ${PARTS[part]} could not be read, and was not checked: ${fault.words}` });
  const { obstacle } = prediction;
  const coin = obstacle?.kind === "balance" ? currencyOf("evm", await symbolFor(session, relayer)) : WEI;
  const isRefused = obstacle !== undefined && predictionObstacleWords(prediction, obstacle, coin) !== undefined;
  if (isRefused) {
    const refused = { prediction, obstacle, coin, target: change, isPassed: isForced || !isKnown };
    await refusePredicted(session, refused);
  }
  const isUnraised = networkReplacesUnraised(network);
  const isCapped = !isRefused && !isUnraised && verb === "replace";
  const after = node && isShown ? await readAfter(node, record) : undefined;
  const isFollowed = isKnown && isAttended;
  return {
    ...(isKnown ? shownPrices(prediction, body, after) : { rows: [] }),
    followable: isFollowed
      ? { relayerId, change: verb, before: record, node, cap: prediction.cap, isUnraised }
      : undefined,
    warnings: (response) => (isCapped && !isNoopTx(response) ? capWarning(prediction, response) : []),
  };
}

function shownPrices(prediction: Prediction, body: JsonObject = {}, after: bigint | undefined) {
  const isCompared = prediction.change === "replace" && !PRICES.some((price) => price in body);
  return {
    rows: predictionRows(prediction, { after, isCompared }),
    ...(isCompared && { fee: prediction.broadcast }),
  };
}

const PARTS = { market: "market's price", balance: "relayer's balance" };

async function readAfter(node: ChainNode, { from, nonce: shown }: Transaction): Promise<bigint | undefined> {
  const nonce = wireAmount(shown);
  if (typeof from !== "string" || nonce === undefined) return undefined;
  const next = await readNonce(node, from, "pending");
  return "value" in next && next.value > nonce ? next.value - nonce - 1n : undefined;
}

/** Checks the price of the response, since the market may have changed in the meantime. */
function capWarning(prediction: Prediction, after: Transaction): { warning: string }[] {
  const response = feesOf(after);
  const obstacle =
    response && prediction.cap !== undefined && txStatus(after) === "submitted"
      ? predictCapObstacle(response, prediction.cap)
      : undefined;
  return obstacle ? [{ warning: `${predictionObstacleWords(prediction, obstacle, WEI)}` }] : [];
}
