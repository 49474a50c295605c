import { wireAmount } from "../../contract/amount.ts";
import type { JsonValue } from "../../contract/json.ts";
import type { Resource } from "../state/collection.ts";
import type { DemoState } from "../state/state.ts";
import { balanceOf } from "./balance.ts";

/** What a node is asked: the parameters of the method, in the world as it is. */
export interface NodeCall {
  params: readonly JsonValue[];
  state: DemoState;
  relayer: Resource;
  /** Milliseconds since 1970. */
  now: number;
}

/** The methods of an EVM node that the embedded server plays, all of which only ask. */
export const evmMethods: Readonly<Record<string, (call: NodeCall) => JsonValue>> = {
  eth_chainId: ({ state, relayer }) => hex(wireAmount(networkOf(state, relayer)?.chain_id) ?? 1n),
  eth_blockNumber: ({ state, relayer, now }) => hex(heightAt(state, relayer, now)),
  eth_gasPrice: () => hex(20_000_000_000n),
  eth_getBalance: ({ params, relayer }) => hex(isSame(params[0], relayer.address) ? balanceOf(relayer) : 0n),
  eth_getTransactionByHash: ({ params, state }) => {
    const found = state.transactions.held().find(({ hash }) => isSame(params[0], hash));
    return found ? onChain(found) : null;
  },
  eth_getBlockByNumber: ({ params, state, relayer, now }) => {
    const number = params[0] === "latest" ? heightAt(state, relayer, now) : wireAmount(params[0]);
    return number === undefined ? null : { number: hex(number), timestamp: hex(BigInt(Math.floor(now / 1000))) };
  },
};

function hex(amount: bigint): string {
  return `0x${amount.toString(16)}`;
}

function isSame(asked: JsonValue | undefined, known: JsonValue | undefined): boolean {
  return typeof asked === "string" && typeof known === "string" && asked.toLowerCase() === known.toLowerCase();
}

function networkOf(state: DemoState, { network }: Resource): Resource | undefined {
  return state.networks.get(`evm:${String(network)}`);
}

/** A chain that began in 2020 and has had a block every time since then. */
const BEGAN = Date.UTC(2020, 0, 1);

function heightAt(state: DemoState, relayer: Resource, now: number): bigint {
  const blocktime = Number(networkOf(state, relayer)?.average_blocktime_ms ?? 12_000);
  return BigInt(Math.floor((now - BEGAN) / blocktime));
}

const MINED = ["mined", "confirmed", "canceled"];

function onChain({ hash, from, to, value, data, nonce, gas_limit, status }: Resource): JsonValue {
  const amount = (member: JsonValue | undefined) => hex(wireAmount(member) ?? 0n);
  return {
    hash: hash ?? null,
    from: from ?? null,
    to: to ?? null,
    value: amount(value),
    input: data ?? "0x",
    nonce: amount(nonce),
    gas: amount(gas_limit),
    blockNumber: MINED.includes(String(status)) ? hex(1n) : null,
  };
}
