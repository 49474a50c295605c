import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Relayer {
  id: string;
  policies: { gas_price_cap: number };
}

/** Returns a relayer of `--demo` in a folder as the last change left it; undefined if nothing was ever changed there. */
export function changedRelayer(folder: string, id: string): Relayer | undefined {
  const path = join(folder, "config/demo.json");
  if (!existsSync(path)) return undefined;
  const { relayers }: { relayers: Relayer[] } = JSON.parse(readFileSync(path, "utf8"));
  return relayers.find((relayer) => relayer.id === id);
}
