import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const { argv, execPath, versions } = process;

/** Whether this program is an executable, built with Bun, not a package. */
export const isExecutable = "bun" in versions;

/** The words that start this program again. The path of an executable's code exists in the executable only. */
export function ownProgram(): string[] {
  return isExecutable ? [execPath] : [execPath, argv[1] ?? ""];
}

/** The word that makes an executable print the addresses of a name. */
export const PRINT_ADDRESSES = "__addresses";

/** The fallback for name lookups: the executable, or Node with a script. */
export const lookupProgram = { node: execPath, ...(isExecutable && { word: PRINT_ADDRESSES }) };

/** Reads the build's description of the commands, which an executable contains. */
export function readShipped(name: string): string {
  const folder = isExecutable ? dirname(argv[1] ?? "") : import.meta.dirname;
  return readFileSync(join(folder, "words", `${name}.json`), "utf8");
}
