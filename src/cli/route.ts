import type { Command } from "commander";
import { HIDDEN, TREE } from "./tree.ts";

/** Returns the words for commander: an unknown noun stands alone, so that it is reported before its flags. */
export function asCommanderReads(argv: readonly string[], [noun]: readonly string[]): string[] {
  return noun === undefined || Object.hasOwn(TREE, noun) || Object.hasOwn(HIDDEN, noun) ? [...argv] : [noun];
}

/** Returns the last command that the words lead to. */
export function commandAt(program: Command, [name, ...rest]: readonly string[]): Command {
  const next = program.commands.find((command) => command.name() === name);
  return next ? commandAt(next, rest) : program;
}
