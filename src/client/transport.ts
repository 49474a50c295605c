import type { WireRequest } from "../contract/wire.ts";
import type { Shared } from "./transport/await-reply.ts";
import { createKept, isPlain } from "./transport/kept.ts";
import { createOpenSocket } from "./transport/open-socket.ts";
import { createPageBuffers } from "./transport/page-buffers.ts";
import type { AttemptLimits, NetworkOptions, Transport } from "./transport/transport.ts";

/**
 * Creates the transport to a real service. It never retries or redirects, and the signal of an attempt destroys a
 * connection that hangs. A library is loaded for the first request that needs it; no read does.
 */
export function createNetwork({ origin: address, ...typed }: NetworkOptions): Transport {
  const { origin, pathname } = new URL(address);
  const options: NetworkOptions = { ...typed, origin };
  const base = pathname.replace(/\/$/, "");
  const shared = { options, openSocket: createOpenSocket(options), pages: createPageBuffers(options.copied) };
  const kept = createKept(shared);
  let single: Promise<Transport> | undefined;
  let pooled: Transport | undefined;
  let loading: Promise<Transport> | undefined;
  const overPool: Transport = async (request, limits) => {
    loading ??= loadPool(shared);
    pooled = await loading;
    return await pooled(request, limits);
  };
  const overSingle: Transport = async (request, limits) => {
    single ??= loadSingle(shared);
    return await (await single)(request, limits);
  };
  const transport: Transport = (request, limits) => {
    if (limits.connection === "kept" && isPlain(request)) return kept(request, limits);
    return limits.connection === "pooled" ? (pooled ?? overPool)(request, limits) : overSingle(request, limits);
  };
  return base === "" ? transport : (request, limits) => transport(below(base, request), limitsBelow(base, limits));
}

function below(base: string, request: WireRequest): WireRequest {
  return { ...request, target: base + request.target };
}

function limitsBelow(base: string, { confirmation, ...limits }: AttemptLimits): AttemptLimits {
  if (!confirmation) return limits;
  return { ...limits, confirmation: { ...confirmation, question: () => below(base, confirmation.question()) } };
}

async function loadSingle(shared: Shared): Promise<Transport> {
  const { createSingle } = await import("./transport/single.ts");
  return createSingle(shared);
}

async function loadPool(shared: Shared): Promise<Transport> {
  const { createPooled } = await import("./transport/pooled.ts");
  shared.options.beforeParsing?.();
  return createPooled(shared);
}
