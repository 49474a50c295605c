import { createSingle } from "./transport/single.ts";
import type { NetworkOptions, Transport } from "./transport/transport.ts";

/**
 * Creates the transport to a real service. It never retries or redirects, and the signal of an attempt destroys a
 * connection that hangs. The pool is loaded for the first request that needs it.
 */
export function createNetwork(options: NetworkOptions): Transport {
  const single = createSingle(options);
  let pooled: Promise<Transport> | undefined;
  return async (request, limits) => {
    if (limits.connection !== "pooled") return await single(request, limits);
    pooled ??= loadPool(options);
    return await (await pooled)(request, limits);
  };
}

async function loadPool(options: NetworkOptions): Promise<Transport> {
  options.beforePool?.();
  const { createPooled } = await import("./transport/pooled.ts");
  return createPooled(options);
}
