import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "./relayctl.ts";
import type { EmbeddedService } from "./services/embedded.ts";

export const ROWS = 60;

export function folderWithPayouts(): string {
  const folder = newFolder();
  const rows = Array.from(
    { length: ROWS },
    (_, index) => `0x${(index + 1).toString(16).padStart(40, "0")},${index + 1},30000`,
  );
  writeFileSync(join(folder, "payouts.csv"), ["to,value,gas_limit", ...rows, ""].join("\n"));
  return folder;
}

/** The receivers of the payments that the service has. */
export async function paid({ read }: EmbeddedService): Promise<string[]> {
  const all = (await read("/relayers/base-hot/transactions?per_page=1000")) as { to: string | null }[];
  return all.flatMap(({ to }) => (to !== null && /^0x0{36}/.test(to) ? [to] : []));
}
