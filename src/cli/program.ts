import { Command } from "commander";
import type { CommandFile, CommandGroup } from "../commands/command.ts";
import { VERSION } from "../version.ts";
import { wordsOf } from "./argv.ts";
import { addCommonFlags } from "./common-flags.ts";
import { BARE } from "./help/bare.ts";
import { HELP } from "./help/layout.ts";
import { type Branch, TREE } from "./tree.ts";

/** What a command line came to: a command to run, once its action was called. */
export interface Chosen {
  file: CommandFile;
  command: Command;
  operands: readonly string[];
}

/** The text that commander wants to print, by stream; nothing in this program prints but `run`. */
export interface Printed {
  out: string;
  err: string;
}

/** The commander tree for this command line: only the noun that was typed is loaded, the others are names and summaries. */
export async function buildProgram(argv: readonly string[], choose: (chosen: Chosen) => void, printed: Printed): Promise<Command> {
  const program = new Command("relayctl");
  program
    .description("operate relayers, their transactions and their notifications")
    .version(VERSION, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand("help [command]", "help for a command")
    .exitOverride()
    .configureOutput({ writeOut: (text) => void (printed.out += text), writeErr: (text) => void (printed.err += text) })
    .configureHelp(HELP);
  addCommonFlags(program);
  const words = wordsOf(argv, program);
  const noun = words[0] === "help" ? words[1] : words[0];
  for (const [name, branch] of Object.entries(TREE)) await addBranch(program, name, branch, name === noun, choose);
  program.action(() => void (printed.out += BARE));
  return program;
}

async function addBranch(program: Command, name: string, branch: Branch, typed: boolean, choose: (chosen: Chosen) => void): Promise<void> {
  const command = program.command(name).summary(branch.summary).description(branch.summary);
  if (!typed) return;
  if ("command" in branch) defineCommand(command, await branch.command(), choose);
  else defineGroup(command, await branch.group(), choose);
}

function defineGroup(parent: Command, group: CommandGroup, choose: (chosen: Chosen) => void): void {
  for (const [verb, file] of Object.entries(group)) defineCommand(parent.command(verb), file, choose);
}

function defineCommand(command: Command, file: CommandFile, choose: (chosen: Chosen) => void): void {
  file.define(command);
  command
    .summary(file.summary)
    .addHelpText("after", `\nExamples\n${file.examples.map((example) => `  ${example}`).join("\n")}\n\nOutput, connection and consent flags: relayctl --help`)
    .action(() => choose({ file, command, operands: command.args }));
}
