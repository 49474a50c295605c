import { wireAmount } from "../../contract/amount.ts";
import { isJsonObject, type JsonObject, type JsonValue, listIn, objectIn } from "../../contract/json.ts";
import type { JsonRpcNode } from "../../contract/json-rpc.ts";
import type { SimMarket } from "../chain/market.ts";
import { Refusal } from "../refusal.ts";

export class FailedCall extends Error {
  override readonly name = "FailedCall";
  readonly code: number | undefined;

  constructor({ words, code }: { words: string; code?: number }) {
    super(words);
    this.code = code;
  }
}

/** Asks a node. @throws FailedCall */
export async function askRealNode(node: JsonRpcNode, method: string, ...params: JsonValue[]): Promise<JsonValue> {
  const reading = await node.ask(method, params);
  if ("fault" in reading) throw new FailedCall(reading.fault);
  return reading.value;
}

/** Asks a node for a request to the service, which passes the failure on (facts 13.10). @throws Refusal */
export async function askRealNodeFor<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof FailedCall) throw new Refusal(500, `Transport error: ${error.message}`);
    throw error;
  }
}

/** Reads a quantity. @throws FailedCall even if it is not a quantity */
export async function readRealQuantity(node: JsonRpcNode, method: string, ...params: JsonValue[]): Promise<bigint> {
  const amount = wireAmount(await askRealNode(node, method, ...params));
  if (amount === undefined) throw new FailedCall({ words: `${method} returned no quantity` });
  return amount;
}

/** The percentile of the tips of recent blocks that each speed pays (facts 5.3). */
const PERCENTILES = { safeLow: 30, average: 50, fast: 85, fastest: 99 };
const RECENT_BLOCKS = "0x4";

/** Reads the prices that the service's depend on (facts 5.3, 15.12), or the node's suggestion (facts 17.3). */
export async function readRealMarket(node: JsonRpcNode): Promise<SimMarket> {
  const [history, gasPrice] = await Promise.all([
    askRealNode(node, "eth_feeHistory", RECENT_BLOCKS, "latest", Object.values(PERCENTILES)),
    readRealQuantity(node, "eth_gasPrice"),
  ]);
  const { baseFeePerGas: fees, reward: rewards } = objectIn(history);
  const baseFee = Array.isArray(fees) ? wireAmount(fees.at(-1)) : undefined;
  if (baseFee === undefined) throw new FailedCall({ words: "eth_feeHistory returned no base fee" });
  const tips = Object.keys(PERCENTILES).map((speed, index) => [speed, averageTip(rewards, index)] as const);
  const isQuiet = tips.every(([, tip]) => tip === 0n);
  const suggested = isQuiet ? await readRealQuantity(node, "eth_maxPriorityFeePerGas") : 0n;
  return { baseFee, gasPrice, tips: Object.fromEntries(tips.map(([speed, tip]) => [speed, tip || suggested])) };
}

function averageTip(rewards: JsonValue | undefined, index: number): bigint {
  const blocks = listIn(rewards);
  const tips = blocks.flatMap((block) => (Array.isArray(block) ? (wireAmount(block[index]) ?? 0n) : []));
  const paid = tips.filter((tip) => tip > 0n);
  return paid.length === 0 ? 0n : paid.reduce((sum, tip) => sum + tip, 0n) / BigInt(paid.length);
}

export async function readRealReceipt(node: JsonRpcNode, hash: JsonValue | undefined) {
  const receipt = await askRealNode(node, "eth_getTransactionReceipt", String(hash));
  const block = isJsonObject(receipt) ? wireAmount(receipt.blockNumber) : undefined;
  return block === undefined ? undefined : { block, isReverted: wireAmount((receipt as JsonObject).status) === 0n };
}

/** Milliseconds between a node's last blocks, if it has enough of them. */
export async function readRealBlockTime(node: JsonRpcNode): Promise<number | undefined> {
  const head = await readRealQuantity(node, "eth_blockNumber");
  const back = head < 20n ? head : 20n;
  if (back < 2n) return undefined;
  const [newer, older] = await Promise.all([timeOfBlock(node, head), timeOfBlock(node, head - back)]);
  return Math.min(60_000, Math.max(250, (Number(newer - older) * 1000) / Number(back)));
}

async function timeOfBlock(node: JsonRpcNode, number: bigint): Promise<bigint> {
  const block = await askRealNode(node, "eth_getBlockByNumber", `0x${number.toString(16)}`, false);
  return (isJsonObject(block) ? wireAmount(block.timestamp) : undefined) ?? 0n;
}
