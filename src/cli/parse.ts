import { type Command, CommanderError, type Option } from "commander";
import type { CommonFlags } from "../command-support/common-flags.ts";
import { Problems } from "../command-support/problems.ts";
import { type AnyCommand, isReplaced } from "../commands/command.ts";
import { type Problem, RelayctlError } from "../errors.ts";
import {
  asCommanderReads,
  commandAt,
  countFlags,
  validateArguments,
  validateArgv,
  validateRepeated,
  withFullWords,
  wordsOf,
} from "./argv.ts";
import { validateWords } from "./choices.ts";
import { bareText } from "./help/bare.ts";
import { draw, type Paper } from "./help/draw.ts";
import { helpOf, namesOf } from "./help/help-of.ts";
import { topicsPage } from "./help/program-page.ts";
import { TOPICS } from "./help/topics.ts";
import { mistakeOf, unknownCommand } from "./mistake.ts";
import { buildProgram, type Chosen, type Papers, PLAIN_PAPERS, type Printed } from "./program.ts";

export interface ParsedCommand {
  kind: "command";
  chosen: Chosen;
  common: CommonFlags;
  /** Problems with the words themselves. */
  problems: readonly Problem[];
  /** The error for missing required arguments, if no prompt is possible. */
  missing?: RelayctlError;
}

/** A text to print instead of running a command. */
export interface ParsedText {
  kind: "text";
  printed: Printed;
  exitCode: number;
}

/**
 * Parses a command line.
 * @throws RelayctlError usage; its message never contains the value of an unknown flag
 */
export async function parse(
  typed: readonly string[],
  papers: Papers = PLAIN_PAPERS,
): Promise<ParsedCommand | ParsedText> {
  const printed: Printed = { out: "", err: "" };
  const { program, argv, words, files } = await buildProgram(typed, printed, papers, withFullWords);
  if (words[0] === "help") return textFor(await helpFor(argv, program, papers));
  const commands = [program, ...program.commands.flatMap((command) => [command, ...command.commands])];
  const counts = new Map<Option, number>();
  for (const command of commands) countFlags(command, counts);
  const stopped = await read(program, asCommanderReads(argv, words));
  const text = stopped && textOf(stopped, printed, words, papers.out());
  if (text) return text;
  const command = commandAt(program, words);
  const mistake = stopped && (await mistakeOf(stopped, validateArgv(argv, commands), { command, words, argv }));
  const file = files.get(command);
  if (mistake && (stopped.code !== MISSING || !file)) throw mistake;
  if (!file) return { kind: "text", printed, exitCode: 0 };
  const missing = mistake ?? missingUnless(file, command);
  const problems = new Problems([
    ...validateArgv(argv, commands),
    ...validateArguments(command),
    ...validateRepeated(counts),
  ]);
  for (const validated of [program, command]) validateWords(problems, validated);
  return {
    kind: "command",
    chosen: { file, command, args: command.args },
    common: program.opts(),
    problems: problems.found,
    ...(missing && { missing }),
  };
}

/**
 * Returns the page that `relayctl help …` requests: of a topic, a command, or the program.
 * @param words the words after `help`
 * @throws RelayctlError usage, with a list of commands and topics
 */
async function requestedHelpPage(program: Command, words: readonly string[], paper: Paper): Promise<string> {
  const [name = "", ...rest] = words;
  const topic = Object.hasOwn(TOPICS, name) && rest.length === 0 ? TOPICS[name] : undefined;
  if (name === "topics" && rest.length === 0) return draw(topicsPage(), paper);
  if (topic) return draw(await (await topic.page())(program), paper);
  const command = commandAt(program, words);
  const unknown = words[namesOf(command).length];
  if (unknown !== undefined) throw unknownCommand(command, unknown, command === program ? Object.keys(TOPICS) : []);
  return command.helpInformation();
}

/** Returns the error for missing arguments. An argument that a flag can replace is missing if neither was typed. */
function missingUnless({ args = [] }: AnyCommand, command: Command): RelayctlError | undefined {
  const next = args[command.args.length];
  if (!next?.unless || isReplaced(next, command.opts(), command.args)) return undefined;
  const { name, unless } = next;
  const instead = unless.map((flag) => `--${flag}`).join(" or ");
  const message = `missing required argument '${name.replace(/[<>.]/g, "")}', or ${instead}`;
  return new RelayctlError("usage", message, { hint: helpOf(command) });
}

async function helpFor(argv: readonly string[], program: Command, { out }: Papers): Promise<string> {
  const [, ...topic] = wordsOf(argv, program, argv.length);
  if (argv.includes("--json")) return await (await import("./help/program-json.ts")).programJson(topic);
  return await requestedHelpPage(program, topic, out());
}

function textFor(out: string): ParsedText {
  return { kind: "text", printed: { out, err: "" }, exitCode: 0 };
}

/** Lets commander parse the words, and returns the error that stopped it. */
async function read(program: Command, words: readonly string[]): Promise<CommanderError | undefined> {
  try {
    await program.parseAsync(words, { from: "user" });
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError) return error;
    throw error;
  }
}

const MISSING = "commander.missingArgument";
const SHOWN = ["commander.helpDisplayed", "commander.version"];

/**
 * Returns the help text. Requested help succeeds, and so does `relayctl` alone; a group without a verb prints its help
 * to stderr and ends with 2.
 */
function textOf(
  { code }: CommanderError,
  printed: Printed,
  words: readonly string[],
  paper: Paper,
): ParsedText | undefined {
  if (SHOWN.includes(code)) return { kind: "text", printed, exitCode: 0 };
  if (code !== "commander.help") return undefined;
  if (words.length === 0) return textFor(bareText(paper));
  return { kind: "text", printed, exitCode: 2 };
}
