import type { App } from "../app.ts";

/** Returns a function from an address to the labels shown next to it; undefined if none can be read. */
export async function labelReader({ config }: Pick<App, "config">) {
  const stored = await config.read().catch(() => undefined);
  if (!stored?.labels) return undefined;
  const { labelsByAddress } = await import("../session/labels.ts");
  return labelsByAddress(stored);
}
