import type { AnyCommand } from "../commands/command.ts";
import { CommandSyntax } from "../commands/flags/syntax.ts";
import { wordsOf } from "./argv.ts";
import { addCommonFlags } from "./common-flags.ts";
import type { Block } from "./help/block.ts";
import { commandPage, groupPage } from "./help/command-page.ts";
import { programPage } from "./help/program-page.ts";
import type { Values } from "./parsing/reading.ts";
import { type Branch, HIDDEN, TREE } from "./tree.ts";

/** The result of a parsed command line: a command to run. */
export interface Chosen {
  file: AnyCommand;
  command: CommandSyntax;
  args: readonly string[];
  flags: Values;
}

/** The tree for a command line. */
export interface Program {
  program: CommandSyntax;
  /** The completed command line. */
  argv: readonly string[];
  /** Noun and verb. */
  words: readonly string[];
  /** The loaded commands. */
  files: ReadonlyMap<CommandSyntax, AnyCommand>;
  /** Returns the help page of a loaded command, of a noun, or of the program. */
  pageOf(command: CommandSyntax): Block[];
}

/** What is known about the loaded commands. */
interface Loaded {
  files: Map<CommandSyntax, AnyCommand>;
  pages: Map<CommandSyntax, () => Block[]>;
}

/**
 * Builds the tree. Only the typed command is loaded, or its whole noun if the verb is unknown; the others are just
 * names.
 * @param completed returns the command line with full words, and with those that may be left out
 */
export async function buildProgram(
  typed: readonly string[],
  completed: (argv: readonly string[], program: CommandSyntax) => Promise<readonly string[]> = async (argv) => argv,
): Promise<Program> {
  const program = new CommandSyntax("relayctl").description(
    "Operate relayers, their transactions, and their notifications",
  );
  addCommonFlags(program);
  program.option("-V, --version", "Print the version");
  const argv = await completed(typed, program);
  const words = wordsOf(argv, program);
  const [noun, verb] = words[0] === "help" ? wordsOf(argv, program, 3).slice(1) : words;
  const loaded: Loaded = { files: new Map(), pages: new Map([[program, programPage]]) };
  for (const [name, branch] of Object.entries(TREE)) {
    const command = addBranch(program, name, branch);
    if (name === noun) await loadBranch(command, branch, verb, loaded);
  }
  for (const [name, branch] of Object.entries(HIDDEN)) {
    if (name === noun) await loadBranch(addBranch(program, name, branch), branch, verb, loaded);
  }
  const { files, pages } = loaded;
  return { program, argv, words, files, pageOf: (command) => pages.get(command)?.() ?? [] };
}

function addBranch(program: CommandSyntax, name: string, { summary }: Branch): CommandSyntax {
  const command = program.command(name).description(summary);
  command.summary = summary;
  return command;
}

async function loadBranch(
  command: CommandSyntax,
  branch: Branch,
  verb: string | undefined,
  loaded: Loaded,
): Promise<void> {
  if ("command" in branch) defineCommand(command, await branch.command(), loaded);
  else await defineGroup(command, branch, verb, loaded);
}

async function defineGroup(
  parent: CommandSyntax,
  branch: Extract<Branch, { group: unknown }>,
  typed: string | undefined,
  loaded: Loaded,
): Promise<void> {
  const group = await branch.group();
  const all = typed === undefined || !Object.hasOwn(group, typed);
  const verbs: [string, AnyCommand][] = [];
  for (const [verb, load] of Object.entries(group)) {
    const command = parent.command(verb);
    if (!all && verb !== typed) continue;
    const file = await load();
    defineCommand(command, file, loaded);
    verbs.push([verb, file]);
  }
  loaded.pages.set(parent, () => groupPage(parent, verbs, branch.bare));
}

function defineCommand(command: CommandSyntax, file: AnyCommand, { files, pages }: Loaded): void {
  files.set(command, file);
  command.args = file.args ?? [];
  file.define(command);
  if (file.interview)
    command.optionsGroup("Request").option("-i, --interactive", "Prompt for values that are not specified");
  command.summary = file.summary;
  pages.set(command, () => commandPage(command, file));
}
