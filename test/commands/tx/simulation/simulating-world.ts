import type { JsonObject, JsonValue } from "../../../../src/contract/json.ts";
import type { WireReply } from "../../../../src/contract/wire.ts";
import { record } from "../../../chain/verdict/records.ts";
import { cli, type World } from "../../../helpers/cli.ts";
import { reply } from "../../../helpers/service/reply.ts";
import { type WaitStory, waitingWorld } from "../waiting-service.ts";

export const TOKEN = "0x52908400098527886e0f7030069857d2e416c0de";
export const DATA = "0xa9059cbb";
export const SEND = `tx send evm-1 --to ${TOKEN} --value 0 --data ${DATA} --gas-limit 100000 --speed fast`;
export const REPLACE = `tx replace evm-1 tx-1 --to ${TOKEN} --value 0 --data ${DATA} --gas-limit 100000 --speed fast`;
export const BUMP = "tx bump evm-1 tx-1";

export type WayName = "simulate" | "trace" | "override" | "call";
export const WAYS: readonly WayName[] = ["simulate", "trace", "override", "call"];

export interface Outcome {
  isReverted: boolean;
  data: string;
  /** What a node calls the failure. */
  error?: string;
  /** The code of that error in `eth_call` (default: the code of a revert). */
  code?: number;
  /** What it does if another contract calls it. */
  relayed?: Outcome;
}

/** An error of a node, as the service passes it on. */
class NodeFailure {
  readonly code: number;
  constructor(code: number) {
    this.code = code;
  }
}

export interface NodeStory {
  ways: readonly WayName[];
  /** Returns the outcome of a call with a limit and data, after a block. */
  outcome(gas: bigint | undefined, block: string, data: string): Outcome;
  /** The account's next nonces. */
  nonces?: { latest: number; pending: number };
  code?: string;
  /** The response to every request for the node. */
  broken?: WireReply;
  /** Milliseconds that each request about a call takes. */
  delay?: number;
}

export const word = (value: bigint | number) => value.toString(16).padStart(64, "0");

export const CALLING = record({ to: TOKEN, value: "0x0", data: DATA, gas_limit: 100_000 });

/** Runs a command in a world with such a node, and returns the requests to the node, and what was sent. */
export async function simulated(line: string, node: NodeStory, world: World = {}, story: Partial<WaitStory> = {}) {
  const waiting = waitingWorld({ record: () => CALLING, written: () => CALLING, ...story }, world);
  const { service: rest, clock } = waiting;
  if (!rest || !clock) throw new Error("the world has no service");
  const service: World["service"] = async (request, limits) => {
    const response = request.target.endsWith("/rpc") ? rpcReply(node, request.body ?? "") : undefined;
    if (!response) return await rest(request, limits);
    if (node.delay !== undefined) await clock.sleep(node.delay);
    return response;
  };
  const ran = await cli(line, { ...waiting, service });
  const asked = ran.requests.flatMap(({ target, body = "" }) =>
    target.endsWith("/rpc") ? [JSON.parse(body) as { method: string; params: JsonValue[] }] : [],
  );
  const sent = ran.requests.filter(({ method, target }) => method !== "GET" && !target.endsWith("/rpc"));
  return { ...ran, asked, sent };
}

/** Returns the response to a request about a call; undefined for any other method. */
function rpcReply(node: NodeStory, body: string): WireReply | undefined {
  const { id, method, params } = JSON.parse(body);
  const result = resultOf(node, method, params);
  if (!result || node.broken) return result && node.broken;
  if (!(result instanceof NodeFailure)) return reply(200, { jsonrpc: "2.0", id, ...result });
  const description = `RPC error occurred (code: ${result.code})`;
  return reply(200, { jsonrpc: "2.0", id, error: { code: -32_603, message: "Internal error", description } });
}

type Result = { result: JsonValue } | NodeFailure | undefined;

const METHODS: Readonly<Record<string, WayName>> = { eth_simulateV1: "simulate", debug_traceCall: "trace" };
const NO_METHOD = new NodeFailure(-32_601);

function resultOf(node: NodeStory, method: string, params: JsonValue[]): Result {
  const { nonces = { latest: 4, pending: 5 }, code = "0x6080", ways } = node;
  if (method === "eth_getTransactionCount") {
    const tag = params[1] === "pending" ? "pending" : "latest";
    return { result: `0x${nonces[tag].toString(16)}` };
  }
  if (method === "eth_getCode") return { result: code };
  if (method === "eth_call") return calledBy(node, params);
  const way = METHODS[method];
  if (way === undefined) return undefined;
  if (!ways.includes(way)) return NO_METHOD;
  const call =
    way === "simulate"
      ? (params as [{ blockStateCalls: [{ calls: [JsonObject] }] }])[0].blockStateCalls[0].calls[0]
      : params[0];
  const { isReverted, data, error } = node.outcome(gasOf(call), String(params[1]), dataOf(call));
  const gasUsed = "0xc822";
  if (way === "simulate") {
    const failure = { status: "0x0", returnData: data, gasUsed, error: { code: 3, message: error ?? null } };
    return { result: [{ calls: [isReverted ? failure : { status: "0x1", returnData: data, gasUsed }] }] };
  }
  return { result: { type: "CALL", gasUsed, output: data, ...(isReverted && { error }) } };
}

function calledBy({ ways, outcome }: NodeStory, [call, block, override]: JsonValue[]): Result {
  const plain = outcome(gasOf(call), String(block), dataOf(call));
  const { isReverted, data, code = 3 } = override ? (plain.relayed ?? plain) : plain;
  if (!ways.includes("call") && !(override && ways.includes("override"))) return NO_METHOD;
  if (override)
    return ways.includes("override")
      ? { result: `0x${word(isReverted ? 0 : 1)}${data.slice(2)}` }
      : new NodeFailure(-32_602);
  return isReverted ? new NodeFailure(code) : { result: data };
}

function gasOf(call: JsonValue | undefined): bigint | undefined {
  const gas = (call as { gas?: string } | undefined)?.gas;
  return gas === undefined ? undefined : BigInt(gas);
}

function dataOf(call: JsonValue | undefined): string {
  return (call as { data?: string } | undefined)?.data ?? "0x";
}
