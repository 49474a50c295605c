import { Command } from "commander";
import type { AnyCommand, CommandGroup } from "../commands/command.ts";
import { VERSION } from "../version.ts";
import { wordsOf } from "./argv.ts";
import { addCommonFlags } from "./common-flags.ts";
import { HELP } from "./help/layout.ts";
import { type Branch, TREE } from "./tree.ts";

/** What a command line came to: a command to run. */
export interface Chosen {
  file: AnyCommand;
  command: Command;
  operands: readonly string[];
}

/** The text that commander wants to print, by stream; nothing in this program prints but `run`. */
export interface Printed {
  out: string;
  err: string;
}

/** The commander tree for a command line. */
export interface Program {
  program: Command;
  /** Noun and verb. */
  words: readonly string[];
  /** The commands that were loaded. */
  files: ReadonlyMap<Command, AnyCommand>;
}

type Files = Map<Command, AnyCommand>;

/** Only the noun that was typed is loaded; the others are names and summaries. */
export async function buildProgram(argv: readonly string[], printed: Printed): Promise<Program> {
  const program = new Command("relayctl");
  program
    .description("operate relayers, their transactions and their notifications")
    .version(VERSION, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand("help [command]", "help for a command")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        printed.out += text;
      },
      writeErr: (text) => {
        printed.err += text;
      },
    })
    .configureHelp(HELP);
  addCommonFlags(program);
  const files: Files = new Map();
  const words = wordsOf(argv, program);
  const noun = words[0] === "help" ? words[1] : words[0];
  for (const [name, branch] of Object.entries(TREE)) await addBranch(program, name, branch, name === noun, files);
  return { program, words, files };
}

async function addBranch(program: Command, name: string, branch: Branch, typed: boolean, files: Files): Promise<void> {
  const command = program.command(name).summary(branch.summary).description(branch.summary);
  if (!typed) return;
  if ("command" in branch) defineCommand(command, await branch.command(), files);
  else defineGroup(command, await branch.group(), files);
}

function defineGroup(parent: Command, group: CommandGroup, files: Files): void {
  for (const [verb, file] of Object.entries(group)) defineCommand(parent.command(verb), file, files);
}

function defineCommand(command: Command, file: AnyCommand, files: Files): void {
  files.set(command, file);
  for (const { name, description } of file.operands ?? []) command.argument(name, description);
  file.define(command);
  const examples = file.examples.map((example) => `  ${example}`).join("\n");
  command
    .summary(file.summary)
    .allowExcessArguments()
    .addHelpText("after", `\nExamples\n${examples}\n\nOutput, connection and consent flags: relayctl --help`)
    .action(() => {});
}
