import { wireAmount } from "../../contract/amount.ts";
import { isJsonObject, type JsonObject, type JsonValue, listIn, objectIn } from "../../contract/json.ts";
import { RELAY_CODE } from "../../contract/relay-code.ts";
import { type CallOutcome, type ContractCall, contractCallOutcome, contractCodeAt } from "../chain/contracts.ts";
import { marketGasEstimate, marketTipAt, type SimMarket } from "../chain/market.ts";
import { chainNetwork, chainOfNetwork, chainRules } from "../chain/network-chains.ts";
import { simChainTime } from "../chain/sim-chain.ts";
import { isNodeStuck } from "../health/checks.ts";
import type { Resource } from "../state/collection.ts";
import type { ServerState } from "../state/state.ts";
import {
  findServedMined,
  findServedTransaction,
  gasUsed,
  isSameHex,
  NodeError,
  type NodeView,
  servedBalanceAt,
  servedBaseFee,
  servedBlock,
  servedBlockNumber,
  servedChainView,
  servedHex,
  servedReceipt,
  servedStateBlock,
  servedTransaction,
  transactionCount,
} from "./served-chain.ts";

interface CallState {
  balanceOf(address: string): bigint;
  /** The third parameter of `eth_call`: overrides of the state, by address. */
  overrides?: JsonValue | undefined;
}

/** The codes of a reverted call and of a refused call. */
const REVERTED = 3;
const REFUSED = -32_000;
/** The code of an execution that fails without a revert. */
const HALTED = -32_015;

/** @throws NodeError without the reason if a call reverts (facts 15.5) */
function returnedBy(call: JsonValue | undefined, state: CallState): string {
  const { isReverted, returnData } = runCall(call, state);
  if (isReverted) throw new NodeError(REVERTED);
  return returnData;
}

/** Returns the results of a simulation's calls, with the reasons of reverts (facts 15.5). */
function simulateBlock(simulation: JsonValue | undefined, state: CallState): JsonObject[] {
  const blocks = listIn(objectIn(simulation).blockStateCalls);
  const [block] = blocks;
  const calls = listIn(objectIn(block).calls);
  return calls.map((call) => {
    const { isReverted, returnData, error } = runCall(call, state);
    const result = { status: isReverted ? "0x0" : "0x1", returnData, gasUsed: shownGas(call), logs: [] };
    const code = error?.startsWith("execution reverted") ? REVERTED : HALTED;
    return error === undefined ? result : { ...result, error: { code, message: error } };
  });
}

/** Returns the outermost frame of a call's trace. @throws NodeError for a tracer other than `callTracer` */
function traceCall(call: JsonValue | undefined, options: JsonValue | undefined, state: CallState): JsonObject {
  if (!isJsonObject(options) || options.tracer !== "callTracer") throw new NodeError(REFUSED);
  const { returnData, error } = runCall(call, state);
  const { from = null, value = "0x0" } = objectIn(call);
  const { to, data } = callIn(call);
  const frame = { type: to === null ? "CREATE" : "CALL", from, to, value, input: data, gasUsed: shownGas(call) };
  if (error === undefined) return { ...frame, output: returnData };
  const [words = "", revertReason] = error.split(/(?<=^execution reverted): /);
  const reason = { ...(returnData !== "0x" && { output: returnData }), ...(revertReason && { revertReason }) };
  return { ...frame, error: words, ...reason };
}

/** @throws NodeError if the call is impossible */
function runCall(call: JsonValue | undefined, { balanceOf, overrides }: CallState): CallOutcome {
  const { from, value, to } = objectIn(call);
  if (typeof from === "string") {
    const balance = wireAmount(overrideFor(overrides, from).balance) ?? balanceOf(from);
    if ((wireAmount(value) ?? 0n) > balance) throw new NodeError(REFUSED);
  }
  const { code } = overrideFor(overrides, to);
  if (code === undefined) return contractCallOutcome(callIn(call));
  if (code === RELAY_CODE) return relayedCall(callIn(call));
  // No other code can run here.
  throw new NodeError(REFUSED);
}

function relayedCall({ data }: ContractCall): CallOutcome {
  const { isReverted, returnData } = contractCallOutcome({
    to: `0x${data.slice(26, 66)}`,
    data: `0x${data.slice(66)}`,
  });
  const succeeded = isReverted ? "0" : "1";
  return { isReverted: false, returnData: `0x${succeeded.padStart(64, "0")}${returnData.slice(2)}` };
}

function overrideFor(overrides: JsonValue | undefined, address: JsonValue | undefined): JsonObject {
  const all = Object.entries(objectIn(overrides));
  return objectIn(all.find(([key]) => isSameHex(key, address))?.[1]);
}

function callIn(call: JsonValue | undefined): ContractCall {
  const { to, data, input = data, gas } = objectIn(call);
  return {
    to: typeof to === "string" ? to : null,
    data: typeof input === "string" ? input : "0x",
    gas: wireAmount(gas),
  };
}

function shownGas(call: JsonValue | undefined): string {
  const { data, gas } = callIn(call);
  return servedHex(gas === undefined ? BigInt(marketGasEstimate({ data })) : gasUsed({ gas, data }));
}

export interface NodeCall {
  params: readonly JsonValue[];
  state: ServerState;
  relayer: Resource;
  /** Milliseconds since 1970. */
  now: number;
}

interface ViewedCall extends NodeCall {
  view: NodeView;
}

/** The methods of an EVM node, all of which only read. */
const methods: Readonly<Record<string, (call: ViewedCall) => JsonValue>> = {
  eth_chainId: ({ state, relayer }) => servedHex(wireAmount(chainNetwork(state, relayer).chain_id) ?? 1n),
  eth_blockNumber: ({ view }) => servedHex(BigInt(view.height)),
  eth_gasPrice: ({ view }) => servedHex(view.rules.market.at(view.now).gasPrice),
  eth_feeHistory: ({ params, view }) => feeHistory(params, view),
  eth_estimateGas: (call) => {
    const [typed] = call.params;
    returnedBy(typed, stateFor(call, "latest"));
    return servedHex(BigInt(marketGasEstimate(objectIn(typed))));
  },
  eth_call: (call) => {
    const [typed, block, overrides] = call.params;
    return returnedBy(typed, { ...stateFor(call, block), overrides });
  },
  eth_simulateV1: (call) => {
    const [typed, block] = call.params;
    const number = servedStateBlock(call.view, block) + 1;
    return [{ number: servedHex(BigInt(number)), calls: simulateBlock(typed, stateFor(call, block)) }];
  },
  debug_traceCall: (call) => {
    const [typed, block, options] = call.params;
    return traceCall(typed, options, stateFor(call, block));
  },
  eth_getCode: ({ params, view }) => {
    servedStateBlock(view, params[1]);
    return contractCodeAt(String(params[0]));
  },
  eth_getBalance: ({ params, state, relayer, view }) => {
    const block = servedStateBlock(view, params[1]);
    return servedHex(servedBalanceAt(state, relayer, String(params[0]), block));
  },
  eth_getTransactionCount: ({ params, view }) => servedHex(BigInt(transactionCount(view, params[0], params[1]))),
  eth_getTransactionByHash: ({ params, view }) => {
    const found = findServedTransaction(view, params[0]);
    return found ? servedTransaction(view, found) : null;
  },
  // Facts 16.7.
  eth_getTransactionBySenderAndNonce: ({ params: [sender, nonce], view }) => {
    const number = wireAmount(nonce);
    const of = (each: { from: string; nonce: number }) => isSameHex(sender, each.from) && BigInt(each.nonce) === number;
    const found = view.chain.mined.find(of) ?? view.chain.waiting.findLast(of);
    return found ? servedTransaction(view, found) : null;
  },
  eth_getTransactionReceipt: ({ params, view }) => {
    const found = findServedMined(view.chain, params[0]);
    return found ? servedReceipt(view, found) : null;
  },
  eth_getBlockByNumber: ({ params, view }) => {
    const number = servedBlockNumber(view, params[0]);
    return number === undefined ? null : servedBlock(view, number, params[1] === true);
  },
};

/** Returns the state after a block. @throws NodeError if the node does not keep it */
function stateFor({ state, relayer, view }: ViewedCall, block: JsonValue | undefined): CallState {
  const number = servedStateBlock(view, block);
  return { balanceOf: (address) => servedBalanceAt(state, relayer, address, number) };
}

/** Returns the result of a method of an EVM node. @throws NodeError */
export function callEvmNode(method: string, call: NodeCall): JsonValue {
  const run = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (!run) throw new NodeError(UNKNOWN_METHOD);
  const { state, relayer } = call;
  const network = chainNetwork(state, relayer);
  const { chain, since: now } = (isNodeStuck(state, relayer) && state.stuckNode) || {
    chain: chainOfNetwork(state, network),
    since: call.now,
  };
  return run({ ...call, now, view: servedChainView(network.id, chain, chainRules(state, network), now) });
}

export const UNKNOWN_METHOD = -32_601;

function feeHistory([count, newest, percentiles]: readonly JsonValue[], view: NodeView): JsonValue {
  const blocks = Math.min(1024, Number(wireAmount(count) ?? 1n));
  const oldest = (servedBlockNumber(view, newest) ?? view.height) - blocks + 1;
  const { market, blockTime } = view.rules;
  const rewardsIn = (block: number) => rewardsAt(market.at(simChainTime(block, blockTime)), percentiles);
  return {
    oldestBlock: servedHex(BigInt(oldest)),
    baseFeePerGas: Array.from({ length: blocks + 1 }, (_, index) => servedHex(servedBaseFee(view, oldest + index))),
    gasUsedRatio: Array.from({ length: blocks }, () => 0.5),
    reward: Array.from({ length: blocks }, (_, index) => rewardsIn(oldest + index)),
  };
}

function rewardsAt(market: SimMarket, percentiles: JsonValue | undefined): string[] {
  return listIn(percentiles).map((percentile) => servedHex(marketTipAt(market, Number(percentile))));
}
