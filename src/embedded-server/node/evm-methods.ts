import { wireAmount } from "../../contract/amount.ts";
import { isJsonObject, type JsonValue } from "../../contract/json.ts";
import { BASE_FEE, estimatedGas, tipAt } from "../lifecycle/market.ts";
import type { Resource } from "../state/collection.ts";
import type { ServerState } from "../state/state.ts";
import { balanceOf } from "./balance.ts";
import { findOnChain, hex, isSame, shownReceipt, shownTransaction } from "./chain.ts";

/** A call to a node: the method's parameters and the state. */
export interface NodeCall {
  params: readonly JsonValue[];
  state: ServerState;
  relayer: Resource;
  /** Milliseconds since 1970. */
  now: number;
}

/** The supported methods of an EVM node, all of which only read. */
export const evmMethods: Readonly<Record<string, (call: NodeCall) => JsonValue>> = {
  eth_chainId: ({ state, relayer }) => hex(wireAmount(networkOf(state, relayer)?.chain_id) ?? 1n),
  eth_blockNumber: ({ state, relayer, now }) => hex(heightAt(state, relayer, now)),
  eth_gasPrice: () => hex(20_000_000_000n),
  eth_feeHistory: ({ params, state, relayer, now }) => feeHistory(params, heightAt(state, relayer, now)),
  eth_estimateGas: ({ params }) => hex(BigInt(estimatedGas(isJsonObject(params[0]) ? params[0] : {}))),
  eth_getBalance: ({ params, relayer }) => hex(isSame(params[0], relayer.address) ? balanceOf(relayer) : 0n),
  eth_getTransactionByHash: (call) => {
    const found = findOnChain(call.state, call.params[0]);
    return found ? shownTransaction(found.version, found.isMined ? blockOf(call, found.record) : undefined) : null;
  },
  eth_getTransactionReceipt: (call) => {
    const found = findOnChain(call.state, call.params[0]);
    return found?.isMined ? shownReceipt(found.version, blockOf(call, found.record)) : null;
  },
  eth_getBlockByNumber: ({ params, state, relayer, now }) => {
    const number = params[0] === "latest" ? heightAt(state, relayer, now) : wireAmount(params[0]);
    return number === undefined ? null : { number: hex(number), timestamp: hex(BigInt(Math.floor(now / 1000))) };
  },
};

/** Returns a fee history. Every block has the base fee and the tips with which transactions are priced here. */
function feeHistory([count, , percentiles]: readonly JsonValue[], height: bigint): JsonValue {
  const blocks = Math.min(1024, Number(wireAmount(count) ?? 1n));
  const rewards = (Array.isArray(percentiles) ? percentiles : []).map((percentile) => hex(tipAt(Number(percentile))));
  return {
    oldestBlock: hex(height - BigInt(blocks) + 1n),
    baseFeePerGas: Array.from({ length: blocks + 1 }, () => hex(BASE_FEE)),
    gasUsedRatio: Array.from({ length: blocks }, () => 0.5),
    reward: Array.from({ length: blocks }, () => rewards),
  };
}

function networkOf(state: ServerState, { network }: Resource): Resource | undefined {
  return state.networks.get(`evm:${String(network)}`);
}

/** The time of the first block. */
const BEGAN = Date.UTC(2020, 0, 1);

function heightAt(state: ServerState, relayer: Resource, now: number): bigint {
  const blocktime = Number(networkOf(state, relayer)?.average_blocktime_ms ?? 12_000);
  return BigInt(Math.floor((now - BEGAN) / blocktime));
}

/** Returns the block after the transaction was sent. */
function blockOf({ state, relayer, now }: NodeCall, { sent_at }: Resource): bigint {
  const sent = typeof sent_at === "string" ? Date.parse(sent_at) : now;
  return heightAt(state, relayer, sent) + 1n;
}
