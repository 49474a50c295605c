import { readFeeHistory } from "../../../chain/evm/fee-history.ts";
import { quantity } from "../../../chain/evm/quantity.ts";
import { readTransaction } from "../../../chain/evm/transaction.ts";
import { type NetworkFacts, readNetworkFacts, replacesUnraised } from "../../../chain/network.ts";
import { type ChainNode, read } from "../../../chain/node/node.ts";
import { relayerNode } from "../../../chain/node/relayer-node.ts";
import { capObstacle } from "../../../chain/replacement/cap-obstacle.ts";
import {
  type Fees,
  feesInPool,
  feesOf,
  legacyMarket,
  type Market,
  marketFrom,
} from "../../../chain/replacement/fees.ts";
import { predict } from "../../../chain/replacement/predict.ts";
import type { Prediction } from "../../../chain/replacement/prediction.ts";
import { wireAmount } from "../../../contract/amount.ts";
import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { isServiceRecord } from "../../../contract/service-record.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { statusOf } from "../../../contract/transaction/transaction-state.ts";
import { RelayctlError } from "../../../errors.ts";
import { FUNDS_TIMEOUT } from "../../../timing.ts";
import type { Call } from "../../command.ts";
import type { Earlier, Target } from "../transaction-write.ts";
import { obstacleWords, waysOutLines } from "./prediction-words.ts";

/** `--force`: sends what cannot work. */
export interface ForceFlag {
  force?: boolean;
}

export const FORCE = ["--force", "Send the request even if the service would never broadcast the result"] as const;

/** A change of a transaction that was broadcast. */
interface Change extends Target {
  change: Prediction["change"];
  body?: JsonObject;
  relayer: Relayer;
}

/** Reads a relayer by its direct route; undefined if that is not possible. */
export async function readCanceling(call: Call, id: string): Promise<Relayer | undefined> {
  const { briefly } = await call.session();
  try {
    return (await briefly(FUNDS_TIMEOUT).relayers.get(id, { byRoute: true })).data;
  } catch (error) {
    if (!(error instanceof RelayctlError) || call.app.interrupt.aborted) throw error;
    return undefined;
  }
}

/** What is known about a change before it is sent. */
export interface Foreseen {
  prediction: Prediction | undefined;
  /** Returns a warning if the response shows that the change will not be broadcast. */
  warningAfter(after: Transaction): string[];
}

const NOTHING: Foreseen = { prediction: undefined, warningAfter: () => [] };

/**
 * Predicts what the service will do, and refuses what cannot work unless `--force` is set. Only a record of the real
 * service on a network that it describes is refused; otherwise the same words are a warning.
 * @throws RelayctlError conflict; nothing was sent
 */
export async function foresee(call: Call<ForceFlag>, change: Change, earlier: Earlier): Promise<Foreseen> {
  const { data: record, state } = earlier;
  if (state.kind !== "evm" || state.status !== "submitted" || typeof record.hash !== "string") return NOTHING;
  const { flags, briefly } = await call.session();
  const client = briefly(FUNDS_TIMEOUT);
  const network = await readNetworkFacts(client.networks, change.relayer.network);
  const isKnown = network.chainId !== undefined && isServiceRecord(record);
  const isUnraised = replacesUnraised(network);
  const node = isKnown ? relayerNode(client.relayers, change.relayer.id) : undefined;
  const market = node && (await marketFor(call, node, change, network));
  const waiting = node && market && isUnraised ? await waitingOf(node, record.hash) : null;
  const { body } = change;
  const cap = capOf(change.relayer);
  const prediction = predict({ record, change: change.change, body, cap, isUnraised, ...market, waiting });
  const words = prediction.obstacle && obstacleWords(prediction, prediction.obstacle);
  if (words !== undefined) {
    const because = ["nothing was sent", ...waysOutLines(prediction, change, flags)];
    if (isKnown && call.flags.force !== true) throw new RelayctlError("conflict", words, { because, retryable: false });
    await call.say(`warning: ${words}`);
  }
  const isCapped = words === undefined && !isUnraised && change.change === "replace" && !isNoopBody(body, record);
  return {
    prediction: isKnown ? prediction : undefined,
    warningAfter: (after) => (isCapped ? capWarning(prediction, after) : []),
  };
}

/** Checks the price of the response, since the market may have changed in the meantime. */
function capWarning(prediction: Prediction, after: Transaction): string[] {
  const response = feesOf(after);
  const obstacle =
    response && prediction.cap !== undefined && statusOf(after) === "submitted"
      ? capObstacle(response, prediction.cap)
      : undefined;
  return obstacle ? [`warning: ${obstacleWords(prediction, obstacle)}`] : [];
}

function capOf({ policies }: Relayer): bigint | undefined {
  return isJsonObject(policies) ? wireAmount(policies.gas_price_cap) : undefined;
}

function isNoopBody(body: JsonObject | undefined, { from }: Transaction): boolean {
  return wireAmount(body?.value) === 0n && String(body?.to).toLowerCase() === String(from).toLowerCase();
}

/** Reads the market if it matters; a node that cannot be asked is reported, and refuses nothing. */
async function marketFor(
  call: Call,
  node: ChainNode,
  { change, relayer }: Change,
  network: NetworkFacts,
): Promise<{ market: Market; baseFee?: bigint } | undefined> {
  const isCapped = change === "replace" && capOf(relayer) !== undefined;
  if (!isCapped && !replacesUnraised(network)) return undefined;
  const isLegacy = isJsonObject(relayer.policies) && relayer.policies.eip1559_pricing === false;
  const price = isLegacy ? await read(node, "eth_gasPrice", [], quantity) : await readFeeHistory(node);
  if ("fault" in price) {
    await call.say(`note: the market's price could not be read, and was not checked: ${price.fault.words}`);
    return undefined;
  }
  const { value } = price;
  return typeof value === "bigint"
    ? { market: legacyMarket(value) }
    : { market: marketFrom(value, network.blockTime), baseFee: value.baseFee };
}

/** Returns the price of the version that waits under a hash; null if that is not known, or nothing does. */
async function waitingOf(node: ChainNode, hash: string): Promise<Fees | null> {
  const found = await readTransaction(node, hash);
  if ("fault" in found || !found.value || found.value.block !== undefined) return null;
  return feesInPool(found.value) ?? null;
}
