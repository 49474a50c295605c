import type { AnyCommand } from "../commands/command.ts";
import { CommandSyntax } from "../commands/flags/syntax.ts";
import { addCommonFlags } from "./common-flags.ts";
import type { Block } from "./help/block.ts";
import { commandPage, groupPage } from "./help/command-page.ts";
import { programPage } from "./help/program-page.ts";
import { type withFullWords, wordsOf } from "./parsing/argv.ts";
import type { CommandSource, KnownCommand, NamedCommand } from "./parsing/command-source.ts";
import type { Values } from "./parsing/reading.ts";
import { type Branch, HIDDEN, TREE } from "./tree.ts";

export interface Chosen {
  file: AnyCommand;
  command: CommandSyntax;
  args: readonly string[];
  flags: Values;
}

export interface Program {
  program: CommandSyntax;
  /** The completed command line. */
  argv: readonly string[];
  words: readonly string[];
  files: ReadonlyMap<CommandSyntax, AnyCommand>;
  source: CommandSource;
  pageOf(command: CommandSyntax): Block[];
}

interface Known {
  files: Map<CommandSyntax, AnyCommand>;
  pages: Map<CommandSyntax, () => Block[]>;
  /** The kind of network whose flags help shows. */
  kind: string;
}

/**
 * Builds the tree. Only the typed command is loaded, or its whole noun if the verb is unknown; the others are just
 * names.
 * @param completed returns the command line with full words, and with those that may be left out
 */
export async function buildProgram(
  typed: readonly string[],
  source: CommandSource,
  completed: typeof withFullWords = async (argv) => argv,
): Promise<Program> {
  const program = new CommandSyntax("relayctl").description(
    "Operate relayers, their transactions, and their notifications",
  );
  addCommonFlags(program);
  program.option("-V, --version", "Print the version");
  const argv = await completed(typed, program, source);
  const words = wordsOf(argv, program);
  const [noun = "", verb] = words[0] === "help" ? wordsOf(argv, program, 3).slice(1) : words;
  const known: Known = { files: new Map(), pages: new Map([[program, programPage]]), kind: typedKind(argv) };
  const hidden = Object.entries(HIDDEN).filter(([name]) => name === noun);
  for (const [name, branch] of [...Object.entries(TREE), ...hidden]) {
    const command = program.command(name).description(branch.summary);
    command.summary = branch.summary;
    if (name === noun) defineNoun(command, branch, await source.load(noun, verb), known);
  }
  const { files, pages } = known;
  return { program, argv, words, files, source, pageOf: (command) => pages.get(command)?.() ?? [] };
}

function defineNoun(noun: CommandSyntax, branch: Branch, commands: readonly NamedCommand[], known: Known): void {
  const verbs: [string, KnownCommand][] = [];
  for (const { verb, known: found } of commands) {
    const command = verb === undefined ? noun : noun.command(verb);
    if (found) defineCommand(command, found, known);
    if (found && verb !== undefined) verbs.push([verb, found]);
  }
  if (!("verbs" in branch)) return;
  const page = () =>
    groupPage(
      noun,
      verbs.map(([verb, { facts }]) => [verb, facts] as const),
      branch.bare,
    );
  known.pages.set(noun, page);
}

function defineCommand(command: CommandSyntax, found: KnownCommand, { files, pages, kind }: Known): void {
  if (found.file) files.set(command, found.file);
  found.define(command);
  pages.set(command, () => commandPage(command, found.facts, kind));
}

function typedKind(argv: readonly string[]): string {
  return / --network-type[ =](evm|solana|stellar) /.exec(` ${argv.join(" ")} `)?.[1] ?? "evm";
}
