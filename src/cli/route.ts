import type { Command } from "commander";
import { namesOf } from "./help/help-of.ts";
import { TREE } from "./tree.ts";

/**
 * The words as commander is to read them: `help relayers update` is `relayers update --help`, which commander knows for
 * one word only, and a noun that is not known stands alone, so that it is told before its flags.
 */
export function asCommanderReads(argv: readonly string[], program: Command, words: readonly string[]): string[] {
  const [noun] = words;
  if (noun !== "help") return noun === undefined || Object.hasOwn(TREE, noun) ? [...argv] : [noun];
  const asked = argv.slice(argv.indexOf("help") + 1).filter((word) => !word.startsWith("-"));
  const found = namesOf(commandAt(program, asked));
  return found.length === asked.length ? [...asked, "--help"] : asked.slice(0, found.length + 1);
}

/** The command that words lead to, as far as they do. */
export function commandAt(program: Command, words: readonly string[]): Command {
  const [name, ...rest] = words[0] === "help" ? words.slice(1) : words;
  const next = program.commands.find((command) => command.name() === name);
  return next ? commandAt(next, rest) : program;
}
