import { Command, type HelpConfiguration } from "commander";
import type { AnyCommand } from "../commands/command.ts";
import { VERSION } from "../version.ts";
import { wordsOf } from "./argv.ts";
import { addCommonFlags } from "./common-flags.ts";
import type { Block } from "./help/block.ts";
import { commandPage, groupPage } from "./help/command-page.ts";
import { draw, type Paper, PLAIN_PAPER } from "./help/draw.ts";
import { programPage } from "./help/program-page.ts";
import { type Branch, HIDDEN, TREE } from "./tree.ts";

/** The result of a parsed command line: a command to run. */
export interface Chosen {
  file: AnyCommand;
  command: Command;
  args: readonly string[];
}

/** The text that commander wants to print, by stream; only `run` prints in this program. */
export interface Printed {
  out: string;
  err: string;
}

/** The commander tree for a command line. */
export interface Program {
  program: Command;
  /** The completed command line. */
  argv: readonly string[];
  /** Noun and verb. */
  words: readonly string[];
  /** The loaded commands. */
  files: ReadonlyMap<Command, AnyCommand>;
}

/** What help is drawn for on each stream. */
export interface Papers {
  out(): Paper;
  err(): Paper;
}

export const PLAIN_PAPERS: Papers = { out: () => PLAIN_PAPER, err: () => PLAIN_PAPER };

type Files = Map<Command, AnyCommand>;

/**
 * Builds the tree. Only the typed command is loaded, or its whole noun if the verb is unknown; the others are just
 * names.
 * @param completed returns the command line with full words, and with those that may be left out
 */
export async function buildProgram(
  typed: readonly string[],
  printed: Printed,
  papers: Papers,
  completed: (argv: readonly string[], program: Command) => Promise<readonly string[]> = async (argv) => argv,
): Promise<Program> {
  const program = new Command("relayctl");
  program
    .description("Operate relayers, their transactions, and their notifications")
    .helpOption("-h, --help", "Print help")
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({
      writeOut: (text) => {
        printed.out += text;
      },
      writeErr: (text) => {
        printed.err += text;
      },
      getOutHelpWidth: () => papers.out().width,
      getErrHelpWidth: () => papers.err().width,
      getOutHasColors: () => papers.out().isBold,
      getErrHasColors: () => papers.err().isBold,
    })
    .configureHelp(drawnFrom(programPage));
  addCommonFlags(program);
  program.version(VERSION, "-V, --version", "Print the version");
  const files: Files = new Map();
  const argv = await completed(typed, program);
  const words = wordsOf(argv, program);
  const [noun, verb] = words[0] === "help" ? wordsOf(argv, program, 3).slice(1) : words;
  for (const [name, branch] of Object.entries(TREE)) {
    const command = addBranch(program, name, branch);
    if (name === noun) await loadBranch(command, branch, verb, files);
  }
  for (const [name, branch] of Object.entries(HIDDEN)) {
    if (name === noun) await loadBranch(addBranch(program, name, branch), branch, verb, files);
  }
  return { program, argv, words, files };
}

function addBranch(program: Command, name: string, { summary }: Branch): Command {
  return program.command(name).summary(summary).description(summary);
}

async function loadBranch(command: Command, branch: Branch, verb: string | undefined, files: Files): Promise<void> {
  if ("command" in branch) defineCommand(command, await branch.command(), files);
  else await defineGroup(command, branch, verb, files);
}

/** Draws help from our own pages; commander provides the width, and removes what is bold where there is no color. */
function drawnFrom(page: () => Block[]): HelpConfiguration {
  return { formatHelp: (_, { helpWidth = PLAIN_PAPER.width }) => draw(page(), { width: helpWidth, isBold: true }) };
}

async function defineGroup(
  parent: Command,
  branch: Extract<Branch, { group: unknown }>,
  typed: string | undefined,
  files: Files,
): Promise<void> {
  const group = await branch.group();
  const all = typed === undefined || !Object.hasOwn(group, typed);
  const loaded: [string, AnyCommand][] = [];
  for (const [verb, load] of Object.entries(group)) {
    const command = parent.command(verb);
    if (!all && verb !== typed) continue;
    const file = await load();
    defineCommand(command, file, files);
    loaded.push([verb, file]);
  }
  parent.configureHelp(drawnFrom(() => groupPage(parent, loaded, branch.bare)));
}

function defineCommand(command: Command, file: AnyCommand, files: Files): void {
  files.set(command, file);
  for (const { name, description, unless } of file.args ?? [])
    command.argument(unless ? name.replace("<", "[").replace(">", "]") : name, description);
  file.define(command);
  if (file.interview)
    command.optionsGroup("Request").option("-i, --interactive", "Prompt for values that are not specified");
  command
    .summary(file.summary)
    .allowExcessArguments()
    .configureHelp(drawnFrom(() => commandPage(command, file)))
    .action(() => {});
}
