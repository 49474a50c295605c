import { wireAmount } from "../../contract/amount.ts";
import { isJsonObject, type JsonValue } from "../../contract/json.ts";
import { chainOf, networkOf, rulesOf } from "../chain/chains.ts";
import { estimatedGas, type Market, tipAt } from "../chain/market.ts";
import type { Resource } from "../state/collection.ts";
import type { ServerState } from "../state/state.ts";
import { balanceOf } from "./balance.ts";
import {
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
  eth_gasPrice: ({ view }) => hex(view.rules.market.gasPrice),
  eth_feeHistory: ({ params, view }) => feeHistory(params, view),
  eth_estimateGas: ({ params }) => hex(BigInt(estimatedGas(isJsonObject(params[0]) ? params[0] : {}))),
  eth_call: ({ params, view }) => {
    stateBlock(view, params[1]);
    return "0x";
  },
  eth_getCode: ({ params, view }) => {
    stateBlock(view, params[1]);
    return "0x";
  },
  eth_getBalance: ({ params, relayer, view }) => {
    stateBlock(view, params[1]);
    return hex(isSame(params[0], relayer.address) ? balanceOf(relayer) : 0n);
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
  const view = viewAt(network.id, chainOf(call.state, network), rulesOf(network), call.now);
  return run({ ...call, view });
}

export const UNKNOWN_METHOD = -32_601;

/** Returns a fee history. Every block has the base fee and the tips with which transactions are priced here. */
function feeHistory([count, newest, percentiles]: readonly JsonValue[], view: NodeView): JsonValue {
  const blocks = Math.min(1024, Number(wireAmount(count) ?? 1n));
  const { market } = view.rules;
  const rewards = rewardsAt(market, percentiles);
  return {
    oldestBlock: hex(BigInt((blockNumber(view, newest) ?? view.height) - blocks + 1)),
    baseFeePerGas: Array.from({ length: blocks + 1 }, () => hex(market.baseFee)),
    gasUsedRatio: Array.from({ length: blocks }, () => 0.5),
    reward: Array.from({ length: blocks }, () => rewards),
  };
}

function rewardsAt(market: Market, percentiles: JsonValue | undefined): string[] {
  return (Array.isArray(percentiles) ? percentiles : []).map((percentile) => hex(tipAt(market, Number(percentile))));
}
