import { execa } from "execa";
import { EXECUTABLE } from "./program.ts";
import { ROOT } from "./relayctl.ts";

/** Builds once, before the first test of what is built, unless an executable is tested. */
export async function setup(): Promise<void> {
  if (!EXECUTABLE) await execa("npm", ["run", "build"], { cwd: ROOT });
}
