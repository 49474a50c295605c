import type { Transport } from "../../../src/client/transport/transport.ts";
import { isJsonObject, type JsonObject, parseJson } from "../../../src/contract/json.ts";
import type { Transaction } from "../../../src/contract/transaction/transaction.ts";
import type { WireReply } from "../../../src/contract/wire.ts";
import { chainNode, type FakeChain } from "../../chain/fake-chain.ts";
import { EARLIER } from "../../chain/verdict/records.ts";
import { cli, type World } from "../../helpers/cli.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { reply, success, wholeList } from "../../helpers/service/reply.ts";

/** What a service and its chain show at a time, in seconds since the command began, or since it sent its write. */
export interface WaitStory {
  /** The record of an ID; null is a 404. */
  record(second: number, id: string): Transaction | WireReply | null;
  /** The chain, or what its node responds. */
  chain?(second: number): Partial<FakeChain> | WireReply;
  relayer?: object;
  /** The response to a write, by the ID of its transaction; empty for a new one. */
  written?(id: string): Transaction | WireReply;
  network?: object;
}

export const RELAYER = {
  id: "evm-1",
  name: "Local",
  network: "localhost",
  network_type: "evm",
  paused: false,
  system_disabled: false,
  address: `0x${"70".repeat(20)}`,
  policies: { min_balance: 1 },
  signer_id: "s",
};
const NETWORK = {
  id: "evm:localhost",
  name: "localhost",
  network_type: "evm",
  chain_id: 1,
  required_confirmations: 1,
  symbol: "ETH",
  tags: [],
  average_blocktime_ms: 12_000,
};

export const notFound = reply(404, { success: false, data: null, error: "Transaction with ID tx-1 not found" });
export const unauthorized = reply(401, { success: false, code: 401, error: "Unauthorized", message: "Unauthorized" });
export const broken = reply(503, { success: false, data: null, error: "An unknown error occurred" });

/** A world in which time passes at once, with a service and a chain that follow a story. */
export function waitingWorld(story: WaitStory, world: World = {}): World {
  const { interrupt = new AbortController().signal } = world;
  const clock = manualClock(undefined, interrupt);
  let start = story.written ? undefined : 0;
  const second = () => (start === undefined ? 0 : (clock.elapsed() - start) / 1000);
  const respond = serviceOf(story, second);
  const service: Transport = async (request, limits) => {
    const response = await respond(request, limits);
    if (request.method !== "GET" && !request.target.endsWith("/rpc")) start ??= clock.elapsed();
    return response;
  };
  return { service, ...world, clock, interrupt };
}

export function run(line: string, story: WaitStory, world: World = {}) {
  return cli(line, waitingWorld(story, world));
}

export function events(stdout: string) {
  const lines = stdout.trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line));
}

function serviceOf(story: WaitStory, second: () => number): Transport {
  return async ({ method, target, body }) => {
    const [path = ""] = target.split("?");
    const [, , , noun, id = "", nested, transaction] = path.split("/");
    if (noun === "relayers" && id === "") return wholeList([{ ...RELAYER, ...story.relayer }]);
    if (noun === "networks") return success({ ...NETWORK, ...story.network });
    if (nested === "rpc") return await rpc(story, second(), body);
    if (nested === "balance") return success({ balance: 10 ** 18, unit: "wei" });
    if (method !== "GET") return replyTo(story.written?.(transaction ?? "") ?? null);
    if (nested === undefined) return success({ ...RELAYER, ...story.relayer, id });
    return transactionsAt(story, second(), transaction);
  };
}

function transactionsAt(story: WaitStory, second: number, id: string | undefined): WireReply {
  if (id === undefined) return wholeList(listed(story, second));
  return id === "by-nonce" ? notFound : replyTo(story.record(second, id));
}

function replyTo(found: Transaction | WireReply | null): WireReply {
  if (found === null) return notFound;
  return isReply(found) ? found : success(found);
}

function isReply(found: object): found is WireReply {
  return "headers" in found;
}

function listed(story: WaitStory, second: number): Transaction[] {
  const found = Array.from({ length: 9 }, (_, index) => story.record(second, `tx-${index + 1}`));
  return found.filter((record): record is Transaction => record !== null && !isReply(record));
}

async function rpc(story: WaitStory, second: number, body = "{}"): Promise<WireReply> {
  const chain = story.chain?.(second) ?? {};
  return isReply(chain) ? chain : await rpcReply(chain as Partial<FakeChain>, body);
}

/** Responds to a request for the node as the service does. */
export async function rpcReply({ transactions = [], ...rest }: Partial<FakeChain>, body: string): Promise<WireReply> {
  const node = chainNode({ height: 100, indexed: true, ...rest, transactions: [...EARLIER, ...transactions] });
  const request = parseJson(body);
  const { id, method, params } = isJsonObject(request) ? request : ({} as JsonObject);
  const reading = await node.ask(String(method), params as Parameters<typeof node.ask>[1]);
  if ("value" in reading) return reply(200, { jsonrpc: "2.0", id, result: reading.value });
  const error = {
    code: -32603,
    message: "Internal error",
    description: `RPC error occurred (code: ${reading.fault.kind === "no_method" ? -32601 : -32000})`,
  };
  return reply(200, { jsonrpc: "2.0", id, error });
}
