import type { NetworkOptions } from "./network-options.ts";
import { createSingle } from "./transport/single.ts";
import type { Transport } from "./transport/transport.ts";

/**
 * The way to a real service. Nothing retries or redirects, and the signal of an attempt destroys what hangs. The pool is
 * loaded for the first request that asks for it.
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
