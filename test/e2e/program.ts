import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

/** Starts the program as a package. */
export const BIN = join(ROOT, "bin/relayctl.js");

/** The executable to test in place of the package, by its absolute path. */
export const EXECUTABLE = process.env.RELAYCTL_PROGRAM;

/** The words that start what is tested. */
export const PROGRAM: readonly [string, ...string[]] = EXECUTABLE ? [EXECUTABLE] : [process.execPath, BIN];

/** Returns an environment with NODE_OPTIONS for an executable, which derives V8's heap from the machine's memory. */
export function forProgram(env: Readonly<Record<string, string>>): Record<string, string> {
  const { NODE_OPTIONS = "", ...others } = env;
  if (!EXECUTABLE || NODE_OPTIONS.trim() === "") return { ...env };
  const [, heap] = /--max-old-space-size=(\d+)/.exec(NODE_OPTIONS) ?? [];
  const files = [...NODE_OPTIONS.matchAll(/--require (\S+)/g)].map(([, path]) => path);
  if (heap !== undefined) files.push(join(import.meta.dirname, "memory.cjs"));
  const BUN_OPTIONS = files.map((path) => `--preload ${path}`).join(" ");
  return { ...others, BUN_OPTIONS, ...(heap !== undefined && { MEMORY_MIB: String(4 * Number(heap)) }) };
}
