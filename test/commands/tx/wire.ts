import type { Transport } from "../../../src/client/transport/transport.ts";
import type { WireReply, WireRequest } from "../../../src/contract/wire.ts";
import { recordedData } from "../../helpers/service/recorded.ts";
import { reply, success } from "../../helpers/service/reply.ts";

export const OWN = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
export const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
export const HASH = `0x${"fc".repeat(32)}`;
export const EARLIER = `0x${"3b".repeat(32)}`;

/** An EVM transaction as the running service returns it: every key, null where it is unset. */
export function evmRecord(fields: object = {}): object {
  return { ...recordedData("submitted b"), hash: HASH, value: "0x3e8", signature: null, ...fields };
}

/** The shape that a record has once its cancellation was accepted (recorded.jsonl, `cancel submitted`). */
export const NOOP = { value: "0x0", to: OWN, data: "0x" };

export function stellarRecord(fields: object = {}): object {
  return { ...recordedData("stellar tx"), ...fields };
}

/** A Solana transaction (facts 5.2): unset members are absent, and it has no relayer. */
export function solanaRecord(fields: object = {}): object {
  const created_at = "2026-11-21T01:39:57.044079447+00:00";
  return { id: "s1", status: "submitted", created_at, transaction: "AQABAg==", signature: "5ig", ...fields };
}

/** A relayer as far as a preflight reads it. */
export function relayerRecord(fields: object = {}): object {
  const policies = { gas_limit_estimation: true, min_balance: 1, include_revert_data: false };
  const known = { id: "evm-1", name: "EVM one", network: "local", network_type: "evm", paused: false, policies };
  return { ...known, signer_id: "s1", address: OWN, system_disabled: false, ...fields };
}

/** A service with these responses, by method and path; anything else is an unknown route. */
export function answering(
  answers: Readonly<Record<string, WireReply | ((request: WireRequest) => WireReply)>>,
): Transport {
  return async (request) => {
    const path = request.target.split("?")[0]?.replace("/api/v1", "");
    const answer = answers[`${request.method} ${path}`];
    return typeof answer === "function" ? answer(request) : (answer ?? reply(404));
  };
}

export { wholeList as many } from "../../helpers/service/reply.ts";

export const one = (record: object): WireReply => success(record);

const MINED_IN = { number: "0x2a", hash: `0x${"b0".repeat(32)}`, timestamp: "0x1" };

/** The node's response through the relayer's `rpc` route: no envelope (facts 3.3). */
export function node(results: Readonly<Record<string, unknown>>): (request: WireRequest) => WireReply {
  return ({ body = "" }) => {
    const { method, params, id } = JSON.parse(body);
    const key = `${method} ${Array.isArray(params) ? String(params[0]) : params.hash}`;
    const inBlock = params[0] === "0x2a" && params[1] === false ? MINED_IN : null;
    const result = results[key] ?? (method === "eth_getBlockByNumber" ? inBlock : null) ?? results[method] ?? null;
    return reply(200, { jsonrpc: "2.0", result, id });
  };
}

export function receipt(fields: object = {}): object {
  return {
    transactionHash: HASH,
    blockNumber: "0x2a",
    blockHash: MINED_IN.hash,
    status: "0x1",
    gasUsed: "0x5208",
    ...fields,
  };
}

export function onChain(fields: object = {}): object {
  const fees = {
    gas: "0x5208",
    gasPrice: "0x271d94900",
    maxFeePerGas: "0x271d94900",
    maxPriorityFeePerGas: "0x1dcd6500",
  };
  const found = { hash: HASH, nonce: "0x4", blockNumber: "0x2a", from: OWN, to: TO, value: "0x3e8", input: "0x" };
  return { ...found, ...fees, type: "0x2", ...fields };
}
