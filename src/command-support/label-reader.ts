import type { App } from "../app.ts";

/**
 * Returns a function from an address to the labels that a terminal shows next to it; undefined if there are none. A
 * config that cannot be read is no reason to fail.
 */
export async function labelReader({ config }: Pick<App, "config">) {
  const stored = await config.read().catch(() => undefined);
  if (!stored?.labels) return undefined;
  const { labelsByAddress } = await import("./labels.ts");
  return labelsByAddress(stored);
}
