import type { Command } from "commander";
import { HIDDEN, TREE } from "./tree.ts";

/** The words as commander is to read them: a noun that is not known stands alone, so that it is told before its flags. */
export function asCommanderReads(argv: readonly string[], [noun]: readonly string[]): string[] {
  return noun === undefined || Object.hasOwn(TREE, noun) || Object.hasOwn(HIDDEN, noun) ? [...argv] : [noun];
}

/** The command that words lead to, as far as they do. */
export function commandAt(program: Command, [name, ...rest]: readonly string[]): Command {
  const next = program.commands.find((command) => command.name() === name);
  return next ? commandAt(next, rest) : program;
}
