import { CommanderError, type Option } from "commander";
import type { Problem } from "../errors.ts";
import type { CommonFlags } from "../flow/common-flags.ts";
import { Problems } from "../flow/problems.ts";
import { judgeArgv, judgeOperands } from "./argv.ts";
import { judgeWords } from "./choices.ts";
import { BARE } from "./help/bare.ts";
import { helpOf } from "./help/help-of.ts";
import { mistakeOf } from "./mistake.ts";
import { countFlags, judgeRepeated } from "./occurrences.ts";
import { buildProgram, type Chosen, type Printed } from "./program.ts";
import { asCommanderReads, commandAt } from "./route.ts";

export interface ParsedCommand {
  kind: "command";
  chosen: Chosen;
  common: CommonFlags;
  /** What is wrong with the words themselves. */
  problems: readonly Problem[];
}

/** A text to print instead of running something. */
export interface ParsedText {
  kind: "text";
  printed: Printed;
  exitCode: number;
}

/**
 * Reads a command line.
 * @throws RelayctlError usage; its message never holds the value of a flag that is not known
 */
export async function parse(argv: readonly string[]): Promise<ParsedCommand | ParsedText> {
  const printed: Printed = { out: "", err: "" };
  let chosen: Chosen | undefined;
  const choose = (found: Chosen) => {
    chosen = found;
  };
  const { program, words } = await buildProgram(argv, choose, printed);
  const commands = [program, ...program.commands.flatMap((command) => [command, ...command.commands])];
  const counts = new Map<Option, number>();
  for (const command of commands) countFlags(command, counts);
  try {
    await program.parseAsync(asCommanderReads(argv, program, words), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const text = textOf(error, printed, words);
    if (text) return text;
    throw mistakeOf(error, judgeArgv(argv, commands), helpOf(commandAt(program, words)));
  }
  if (!chosen) return { kind: "text", printed, exitCode: 0 };
  const { command } = chosen;
  const typed = [...judgeArgv(argv, commands), ...judgeOperands(command), ...judgeRepeated(counts)];
  const problems = new Problems(typed);
  for (const judged of [program, command]) judgeWords(problems, judged);
  return { kind: "command", chosen, common: program.opts(), problems: problems.found };
}

const SHOWN = ["commander.helpDisplayed", "commander.version"];

/** Help that was asked for ends well, and so does no command at all; a group without a verb gets its help on stderr and 2. */
function textOf({ code }: CommanderError, printed: Printed, words: readonly string[]): ParsedText | undefined {
  if (SHOWN.includes(code)) return { kind: "text", printed, exitCode: 0 };
  if (code !== "commander.help") return undefined;
  if (words.length === 0) return { kind: "text", printed: { out: BARE, err: "" }, exitCode: 0 };
  return { kind: "text", printed, exitCode: 2 };
}
