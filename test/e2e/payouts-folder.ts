import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder, relayctl } from "./relayctl.ts";

export const ROWS = 60;

/** A folder with a file in which row N pays N wei to its own receiver. */
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
export async function paid(env: Record<string, string>): Promise<string[]> {
  const { stdout } = await relayctl(["tx", "list", "base-hot", "--fields", "to", "-o", "tsv"], { env });
  return stdout.split("\n").filter((to) => /^0x0{36}/.test(to));
}
