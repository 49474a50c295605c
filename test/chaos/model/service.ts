import type { WireReply, WireRequest } from "../../../src/contract/wire.ts";
import { type Fleet, type Patch, type RelayerChange, type ServiceRelayer, shownPolicies } from "./fleet.ts";
import type { Node } from "./node.ts";
import type { Pricing } from "./pricing.ts";
import { isFinal, json, type Stored, type Version } from "./record.ts";
import { reply, success } from "./reply.ts";
import type { Timeline } from "./timeline.ts";
import type { Wish, Worker } from "./worker.ts";

export interface ServiceOptions {
  timeline: Timeline;
  worker: Worker;
  node: Node;
  pricing: Pricing;
  fleet: Fleet;
  confirmations: number;
  reachesNode(): boolean;
  /** Wei that each relayer has. */
  balance(): bigint;
  uuid(): string;
  /** Returns a list in the order in which it is shown. */
  order(newest: readonly Stored[]): readonly Stored[];
}

/** What the service did for a request that changes something. */
export interface Applied {
  operation: "send" | "replace" | "cancel";
  stored: Stored;
  /** What the record does since. */
  version: Version;
  /** What it did before. */
  before?: Version;
  /** The next nonce of the account on the chain at that moment. */
  next: number;
}

/** What is called before the service responds to a request that it applied. */
export interface Done {
  /** A transaction was changed. */
  applied(what: Applied): void;
  updated(what: RelayerChange): void;
}

/** For requests that change nothing. */
export const IGNORED: Done = { applied() {}, updated() {} };

/** Responds to a request as service v1.8 does. */
export type Service = (request: WireRequest, done: Done) => WireReply;

const NETWORK = "chaosnet";

/** The envelope of a refusal (facts 1.7). */
function refused(status: number, error: string): WireReply {
  return reply(status, { success: false, data: null, error });
}

/** Pause is checked first (facts 4.2). */
function refusalOf({ isPaused, disabled }: ServiceRelayer): WireReply | undefined {
  if (isPaused) return refused(403, "Relayer paused");
  return disabled && refused(403, "Relayer disabled");
}

export function createService(options: ServiceOptions): Service {
  const { worker, fleet } = options;
  const { chain } = options.pricing;
  const nextOf = (from: string) => chain.nonceAt(from, chain.head.number);
  const { relayers } = fleet;

  function transactions(relayer: ServiceRelayer, rest: string[], ask: Asked): WireReply {
    const [id] = rest;
    if (id === undefined) return ask.method === "POST" ? send(relayer, ask) : list(relayer, ask.query);
    if (id === "by-nonce")
      return found(newestWith(relayer, Number(rest[1])), `Transaction with nonce ${rest[1]} not found`);
    const stored = worker.records.get(id);
    const missing = `Transaction with ID ${id} not found`;
    if (ask.method === "GET") return found(stored, missing);
    return refusalOf(relayer) ?? (stored ? change(stored, ask) : refused(404, missing));
  }

  function change(stored: Stored, { method, body, applied }: Asked): WireReply {
    const operation = method === "PUT" ? "replace" : "cancel";
    const before = newestVersion(stored);
    const refusal = operation === "replace" ? worker.replace(stored, wishOf(body)) : worker.cancel(stored);
    if (refusal !== undefined) return refused(400, refusal);
    applied({ operation, stored, version: newestVersion(stored), before, next: nextOf(stored.from) });
    return success(json(stored));
  }

  function send(relayer: ServiceRelayer, { body, applied }: Asked): WireReply {
    const refusal = refusalOf(relayer);
    if (refusal) return refusal;
    const stored = worker.post(options.uuid(), { relayer: relayer.id, address: relayer.address }, wishOf(body));
    applied({ operation: "send", stored, version: newestVersion(stored), next: nextOf(stored.from) });
    return success(json(stored));
  }

  function newestWith({ id }: ServiceRelayer, nonce: number): Stored | undefined {
    return [...worker.records.values()].reverse().find((each) => each.relayer === id && each.nonce === nonce);
  }

  /** Transactions, newest first; those that are being canceled are left out of a status (facts 2). */
  function list({ id }: ServiceRelayer, search: string): WireReply {
    const query = new URLSearchParams(search);
    const status = query.get("status");
    const [page, size] = [Number(query.get("page") ?? 1), Number(query.get("per_page") ?? 10)];
    const isListed = (each: Stored) =>
      each.relayer === id && (status === null || (each.status === status && (isFinal(each) || !each.isCanceled)));
    const all = options.order([...worker.records.values()].filter(isListed).reverse());
    const items = all.slice((page - 1) * size, page * size).map(json);
    return success(items, { current_page: page, per_page: size, total_items: all.length });
  }

  function rpc(relayer: ServiceRelayer, body: unknown): WireReply {
    const refusal = refusalOf(relayer);
    if (refusal) return refusal;
    const { id = 1, method, params = [] } = body as { id?: number; method: string; params?: unknown[] };
    if (!options.reachesNode()) return reply(200, { jsonrpc: "2.0", error: UNREACHED, id });
    const found = options.node(method, params);
    if ("result" in found) return reply(200, { jsonrpc: "2.0", result: found.result, id });
    return reply(200, {
      jsonrpc: "2.0",
      error: { code: -32_603, message: "Internal error", description: `RPC error occurred (code: ${found.code})` },
      id,
    });
  }

  /** A disabled relayer cannot be changed, a paused one can (facts 4.5). */
  function update(relayer: ServiceRelayer, { body, updated }: Asked): WireReply {
    if (relayer.disabled) return refused(400, "Relayer is disabled");
    updated(fleet.change(relayer.id, body as Patch));
    return success(relayerJson(relayer));
  }

  function relayerRoute([id, ...rest]: string[], ask: Asked): WireReply {
    if (id === undefined)
      return success(relayers.map(relayerJson), { current_page: 1, per_page: 100, total_items: relayers.length });
    const relayer = relayers.find((each) => each.id === id);
    if (!relayer) return refused(404, `Relayer with ID ${id} not found`);
    const [part, ...more] = rest;
    if (part === undefined) return ask.method === "PATCH" ? update(relayer, ask) : success(relayerJson(relayer));
    if (part === "balance") return success({ balance: Number(options.balance()), unit: "wei" });
    if (part === "rpc") return rpc(relayer, ask.body);
    return part === "transactions" ? transactions(relayer, more, ask) : NOWHERE;
  }

  return ({ method, target, body }, done) => {
    const [path = "", query] = target.split("?");
    const [, , , noun, ...rest] = path.split("/").map(decodeURIComponent);
    const ask = { method, query: query ?? "", body: body === undefined ? undefined : JSON.parse(body), ...done };
    if (noun === "relayers") return relayerRoute(rest, ask);
    if (noun === "networks" && rest[0] === `evm:${NETWORK}`) return success(networkJson(options));
    return NOWHERE;
  };
}

const NOWHERE = reply(404, {});

interface Asked extends Done {
  method: string;
  query: string;
  body: unknown;
}

function newestVersion({ to, value, data }: Stored): Version {
  return { to, value, data };
}

const UNREACHED = { code: -33_003, message: "Request error", description: "RPC error occurred" };

function found(stored: Stored | undefined, missing: string): WireReply {
  return stored ? success(json(stored)) : refused(404, missing);
}

function wishOf(body: unknown): Wish {
  const { to, value, data, gas_limit: gas, speed, valid_until: until } = body as Record<string, unknown>;
  return {
    to: typeof to === "string" ? to : null,
    value: BigInt(value as string),
    data: typeof data === "string" ? data : null,
    gas: gas === undefined || gas === null ? null : Number(gas),
    speed: typeof speed === "string" ? speed : undefined,
    validUntil: typeof until === "string" ? Date.parse(until) : undefined,
  };
}

function relayerJson({ id, address, settings, disabled }: ServiceRelayer): object {
  const policies = shownPolicies(settings);
  return {
    id,
    name: settings.name,
    network: NETWORK,
    network_type: "evm",
    paused: settings.paused,
    ...(policies && { policies }),
    signer_id: `signer-${id}`,
    address,
    system_disabled: disabled !== undefined,
    ...(disabled && { disabled_reason: { type: disabled, details: "a check failed" } }),
  };
}

function networkJson({ pricing: { chain, isTagged }, confirmations }: ServiceOptions): object {
  return {
    id: `evm:${NETWORK}`,
    name: NETWORK,
    network_type: "evm",
    rpc_urls: [],
    average_blocktime_ms: chain.blockTime,
    is_testnet: true,
    chain_id: chain.chainId,
    required_confirmations: confirmations,
    features: ["eip1559"],
    symbol: "ETH",
    tags: isTagged ? ["optimism-based"] : [],
  };
}
