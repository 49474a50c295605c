import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const { argv, execPath, versions } = process;

/** Whether this program is one executable, built with Bun, and not a package that Node runs. */
export const isExecutable = "bun" in versions;

/** The words that start this program again. The path of an executable's code exists in the executable only. */
export function ownProgram(): string[] {
  return isExecutable ? [execPath] : [execPath, argv[1] ?? ""];
}

/** The word that makes an executable print the addresses of a name. */
export const PRINT_ADDRESSES = "__addresses";

/** What prints the addresses of a name where no other program does: the executable, or Node with a script. */
export const lookupProgram = { node: execPath, ...(isExecutable && { word: PRINT_ADDRESSES }) };

/** Reads what the build wrote down about the commands. An executable contains these files. */
export function readShipped(name: string): string {
  const folder = isExecutable ? dirname(argv[1] ?? "") : import.meta.dirname;
  return readFileSync(join(folder, "words", `${name}.json`), "utf8");
}
