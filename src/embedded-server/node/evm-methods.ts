import { wireAmount } from "../../contract/amount.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { timeOf } from "../chain/blocks.ts";
import { chainOf, networkOf, rulesOf } from "../chain/chains.ts";
import { type ContractCall, codeAt, outcomeOf } from "../chain/contracts.ts";
import { estimatedGas, type Market, tipAt } from "../chain/market.ts";
import type { Resource } from "../state/collection.ts";
import type { ServerState } from "../state/state.ts";
import { balanceAt } from "./balance.ts";
import {
  baseFeeAt,
  blockNumber,
  findByHash,
  findMined,
  hex,
  isSame,
  type NodeView,
  shownBlock,
  shownReceipt,
  shownTransaction,
  stateBlock,
  transactionCount,
  viewAt,
} from "./chain.ts";
import { NodeError } from "./node-error.ts";

/** A call to a node: the method's parameters and the state. */
export interface NodeCall {
  params: readonly JsonValue[];
  state: ServerState;
  relayer: Resource;
  /** Milliseconds since 1970. */
  now: number;
}

/** The call, with what the node sees of the chain. */
interface ViewedCall extends NodeCall {
  view: NodeView;
}

/** The supported methods of an EVM node, all of which only read. */
const methods: Readonly<Record<string, (call: ViewedCall) => JsonValue>> = {
  eth_chainId: ({ state, relayer }) => hex(wireAmount(networkOf(state, relayer).chain_id) ?? 1n),
  eth_blockNumber: ({ view }) => hex(BigInt(view.height)),
  eth_gasPrice: ({ view }) => hex(view.rules.market.at(view.now).gasPrice),
  eth_feeHistory: ({ params, view }) => feeHistory(params, view),
  eth_estimateGas: ({ params }) => {
    called(params[0]);
    return hex(BigInt(estimatedGas(isJsonObject(params[0]) ? params[0] : {})));
  },
  eth_call: ({ params, view }) => {
    stateBlock(view, params[1]);
    return called(params[0]);
  },
  eth_simulateV1: ({ params, view }) => [{ number: hex(BigInt(view.height + 1)), calls: simulated(params[0]) }],
  eth_getCode: ({ params, view }) => {
    stateBlock(view, params[1]);
    return codeAt(String(params[0]));
  },
  eth_getBalance: ({ params, state, relayer, view }) => {
    const block = stateBlock(view, params[1]);
    return hex(balanceAt(state, relayer, String(params[0]), block));
  },
  eth_getTransactionCount: ({ params, view }) => hex(BigInt(transactionCount(view, params[0], params[1]))),
  eth_getTransactionByHash: ({ params, view }) => {
    const found = findByHash(view, params[0]);
    return found ? shownTransaction(view, found) : null;
  },
  // Facts 16.7.
  eth_getTransactionBySenderAndNonce: ({ params: [sender, nonce], view }) => {
    const number = wireAmount(nonce);
    const of = (each: { from: string; nonce: number }) => isSame(sender, each.from) && BigInt(each.nonce) === number;
    const found = view.chain.mined.find(of) ?? view.chain.waiting.findLast(of);
    return found ? shownTransaction(view, found) : null;
  },
  eth_getTransactionReceipt: ({ params, view }) => {
    const found = findMined(view.chain, params[0]);
    return found ? shownReceipt(view, found) : null;
  },
  eth_getBlockByNumber: ({ params, view }) => {
    const number = blockNumber(view, params[0]);
    return number === undefined ? null : shownBlock(view, number, params[1] === true);
  },
};

/**
 * Returns the result of a method of an EVM node.
 * @throws NodeError
 */
export function callEvmNode(method: string, call: NodeCall): JsonValue {
  const run = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (!run) throw new NodeError(UNKNOWN_METHOD);
  const network = networkOf(call.state, call.relayer);
  const view = viewAt(network.id, chainOf(call.state, network), rulesOf(call.state, network), call.now);
  return run({ ...call, view });
}

export const UNKNOWN_METHOD = -32_601;

/** The code of a reverted call. */
const REVERTED = 3;

/**
 * Returns what a call returns.
 * @throws NodeError without the reason if it reverts (facts 15.5)
 */
function called(call: JsonValue | undefined): string {
  const { isReverted, returnData } = outcomeOf(callIn(call));
  if (isReverted) throw new NodeError(REVERTED);
  return returnData;
}

/** Returns what the calls of a simulation do, with the reasons of reverts (facts 15.5). */
function simulated(simulation: JsonValue | undefined): JsonObject[] {
  const blocks =
    isJsonObject(simulation) && Array.isArray(simulation.blockStateCalls) ? simulation.blockStateCalls : [];
  const [block] = blocks;
  const calls = isJsonObject(block) && Array.isArray(block.calls) ? block.calls : [];
  return calls.map((call) => {
    const { isReverted, returnData } = outcomeOf(callIn(call));
    const gasUsed = hex(BigInt(estimatedGas(isJsonObject(call) ? call : {})));
    return { status: isReverted ? "0x0" : "0x1", returnData, gasUsed, logs: [] };
  });
}

function callIn(call: JsonValue | undefined): ContractCall {
  const { to, data, input = data } = isJsonObject(call) ? call : {};
  return { to: typeof to === "string" ? to : null, data: typeof input === "string" ? input : "0x" };
}

/** Returns a fee history, with the base fees and tips with which transactions are priced here. */
function feeHistory([count, newest, percentiles]: readonly JsonValue[], view: NodeView): JsonValue {
  const blocks = Math.min(1024, Number(wireAmount(count) ?? 1n));
  const oldest = (blockNumber(view, newest) ?? view.height) - blocks + 1;
  const { market, blockTime } = view.rules;
  const rewardsOf = (block: number) => rewardsAt(market.at(timeOf(block, blockTime)), percentiles);
  return {
    oldestBlock: hex(BigInt(oldest)),
    baseFeePerGas: Array.from({ length: blocks + 1 }, (_, index) => hex(baseFeeAt(view, oldest + index))),
    gasUsedRatio: Array.from({ length: blocks }, () => 0.5),
    reward: Array.from({ length: blocks }, (_, index) => rewardsOf(oldest + index)),
  };
}

function rewardsAt(market: Market, percentiles: JsonValue | undefined): string[] {
  return (Array.isArray(percentiles) ? percentiles : []).map((percentile) => hex(tipAt(market, Number(percentile))));
}
