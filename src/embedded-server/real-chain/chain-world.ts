import { wireAmount } from "../../contract/amount.ts";
import { isJsonObject, type JsonObject, type JsonValue, listIn, objectIn } from "../../contract/json.ts";
import type { JsonRpcNode } from "../../contract/json-rpc.ts";
import type { SimMarket } from "../chain/market.ts";
import { chainNetwork } from "../chain/network-chains.ts";
import type { Lifecycle } from "../lifecycle/lifecycle.ts";
import { nextNonceNumber } from "../lifecycle/numbers.ts";
import { Refusal } from "../refusal.ts";
import { type ServerState, updateState } from "../state/state.ts";
import type { ServerStore } from "../state/store.ts";
import type { Faults } from "../worker/faults.ts";
import type { ServerClock, ServerRandom } from "../world.ts";
import type { LocalKey } from "./key.ts";

export interface RealChain {
  node: JsonRpcNode;
  key: LocalKey;
  chainId: number;
  /** How many transactions the address had sent when the server started. */
  firstNonce: number;
}

export interface ChainWorld extends RealChain {
  store: ServerStore;
  clock: Pick<ServerClock, "now" | "sleep">;
  random: Pick<ServerRandom, "uuid">;
  faults: Faults | undefined;
  /** The hashes that were broadcast for each record: the service keeps them, and shows the last. */
  broadcast: Map<string, string[]>;
}

export type DueTask = NonNullable<ReturnType<typeof findRealTask>>;

export function findRealTask(state: ServerState, lifecycle: Lifecycle) {
  const record = state.transactions.get(lifecycle.id);
  const relayer = state.relayers.get(String(record?.relayer_id));
  return record && relayer && { record, relayer, network: chainNetwork(state, relayer), lifecycle };
}

/** Returns the relayer's next nonce: its own counter, which only starts with the chain's (facts 15.7). */
export function nextRealNonce(
  state: ServerState,
  { firstNonce }: Pick<RealChain, "firstNonce">,
  relayerId: string,
): number {
  return Math.max(firstNonce, nextNonceNumber(state, relayerId));
}

/** Stores a step's changes, unless a request changed the record meanwhile; a final one has no `following`. */
export async function settleReal(
  { store, clock }: ChainWorld,
  { record }: DueTask,
  changes: JsonObject,
  following: Lifecycle | undefined,
): Promise<void> {
  await store.change((state) => {
    if (state.transactions.get(record.id) !== record) return;
    const changed = { ...record, ...changes };
    if (changed.status === record.status) state.transactions.put(changed);
    else updateState(state, changed, clock.now());
    if (following) state.lifecycles.set(record.id, following);
    else state.lifecycles.delete(record.id);
  });
}

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
