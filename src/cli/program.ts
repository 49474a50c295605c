import { Command } from "commander";
import type { AnyCommand, CommandGroup } from "../commands/command.ts";
import { VERSION } from "../version.ts";
import { wordsOf } from "./argv.ts";
import { addCommonFlags } from "./common-flags.ts";
import { HELP } from "./help/layout.ts";
import { type Branch, TREE } from "./tree.ts";

/** What a command line came to: a command to run, once its action was called. */
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

type Choose = (chosen: Chosen) => void;

/** The commander tree for this command line, and its noun and verb: only the noun that was typed is loaded, the others are names and summaries. */
export async function buildProgram(
  argv: readonly string[],
  choose: Choose,
  printed: Printed,
): Promise<{ program: Command; words: readonly string[] }> {
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
  const words = wordsOf(argv, program);
  const noun = words[0] === "help" ? words[1] : words[0];
  for (const [name, branch] of Object.entries(TREE)) await addBranch(program, name, branch, name === noun, choose);
  return { program, words };
}

async function addBranch(
  program: Command,
  name: string,
  branch: Branch,
  typed: boolean,
  choose: Choose,
): Promise<void> {
  const command = program.command(name).summary(branch.summary).description(branch.summary);
  if (!typed) return;
  if ("command" in branch) defineCommand(command, await branch.command(), choose);
  else defineGroup(command, await branch.group(), choose);
}

function defineGroup(parent: Command, group: CommandGroup, choose: Choose): void {
  for (const [verb, file] of Object.entries(group)) defineCommand(parent.command(verb), file, choose);
}

function defineCommand(command: Command, file: AnyCommand, choose: Choose): void {
  for (const { name, description } of file.operands ?? []) command.argument(name, description);
  file.define(command);
  const examples = file.examples.map((example) => `  ${example}`).join("\n");
  command
    .summary(file.summary)
    .allowExcessArguments()
    .addHelpText("after", `\nExamples\n${examples}\n\nOutput, connection and consent flags: relayctl --help`)
    .action(() => choose({ file, command, operands: command.args }));
}
