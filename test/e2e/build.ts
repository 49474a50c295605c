import { execa } from "execa";
import { ROOT } from "./relayctl.ts";

/** Builds once, before the first test of what is built. */
export async function setup(): Promise<void> {
  await execa("npm", ["run", "build"], { cwd: ROOT });
}
