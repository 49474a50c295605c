import type { CommonFlags } from "../../command-support/common-flags.ts";
import { isReplaced } from "../../commands/command.ts";
import type { CommandSyntax } from "../../commands/flags/syntax.ts";
import { Problems } from "../../contract/problems.ts";
import { type Problem, RelayctlError } from "../../errors.ts";
import { VERSION } from "../../version.ts";
import { validateWords } from "../choices.ts";
import { barePage } from "../help/bare.ts";
import { draw, type Paper, PLAIN_PAPER } from "../help/draw.ts";
import { helpOf, namesOf } from "../help/help-of.ts";
import { allPage, topicsPage } from "../help/program-page.ts";
import { TOPICS } from "../help/topics.ts";
import { mistakeOf, unknownCommand } from "../mistake.ts";
import type { ChosenCommand, Program } from "../program.ts";
import {
  asCommanderReads,
  commandAt,
  validateArguments,
  validateArgv,
  validateRepeated,
  withWatchTime,
  wordsOf,
} from "./argv.ts";
import type { AllWords } from "./command-source.ts";
import { readExactly } from "./read-exactly.ts";
import type { LineReading, Stopped } from "./reading.ts";
import { wantsJson } from "./typed-early.ts";

export interface ParsedLine {
  kind: "command";
  chosen: Omit<ChosenCommand, "file">;
  common: CommonFlags;
  problems: readonly Problem[];
  /** The error for missing required arguments, if no prompt is possible. */
  missing?: RelayctlError;
}

export interface ParsedText {
  kind: "text";
  text: string;
  to: "out" | "err";
  exitCode: number;
  /** What a program reads instead. */
  mistake?: RelayctlError;
}

export type Papers = Readonly<Record<ParsedText["to"], () => Paper>>;

export const PLAIN_PAPERS: Papers = { out: () => PLAIN_PAPER, err: () => PLAIN_PAPER };

/** @throws RelayctlError usage; its message never contains the value of an unknown flag */
export async function parseLine(tree: Program, papers: Papers, allWords: AllWords): Promise<ParsedLine | ParsedText> {
  const { program, words } = tree;
  if (words[0] === "help") return textFor(await helpFor(tree, papers, allWords));
  const commands = [program, ...program.commands.flatMap((command) => [command, ...command.commands])];
  const command = commandAt(program, words);
  const argv = withWatchTime(tree.argv, command);
  const { stopped, args, valuesOf, counts } = await read(program, asCommanderReads(argv, words), command);
  const text = findText(stopped, tree, papers);
  if (text) return text;
  const flags = valuesOf(command);
  const mistake = stopped && "message" in stopped ? stopped : undefined;
  const error = mistake && (await mistakeOf(mistake, validateArgv(argv, commands), { command, words, argv, allWords }));
  if (error && (mistake?.why !== "argument" || !command.args)) throw error;
  const missing = error ?? missingUnless({ command, args, flags });
  const problems = new Problems([
    ...validateArgv(argv, commands),
    ...validateArguments(command, args),
    ...validateRepeated(counts),
  ]);
  for (const validated of [program, command]) validateWords(problems, validated, valuesOf(validated));
  return {
    kind: "command",
    chosen: { command, args, flags },
    common: valuesOf(program),
    problems: problems.found,
    ...(missing && { missing }),
  };
}

/** @param words after `help` @throws RelayctlError usage for an unknown topic */
async function requestedHelpPage(
  { program, pageOf }: Program,
  words: readonly string[],
  paper: Paper,
  allWords: AllWords,
): Promise<string> {
  const [name = "", ...rest] = words;
  const topic = Object.hasOwn(TOPICS, name) && rest.length === 0 ? TOPICS[name] : undefined;
  if (name === "topics" && rest.length === 0) return draw(topicsPage(), paper);
  if (topic) return draw(await (await topic.page())(program), paper);
  const command = commandAt(program, words);
  const unknown = words[namesOf(command).length];
  if (unknown !== undefined)
    throw await unknownCommand(command, unknown, allWords, command === program ? Object.keys(TOPICS) : []);
  return draw(pageOf(command), paper);
}

function missingUnless({ command, args: typed, flags }: Omit<ChosenCommand, "file">): RelayctlError | undefined {
  const next = command.args?.[typed.length];
  if (!next || !(next.unless || next.unlessFound) || isReplaced(next, flags, typed)) return undefined;
  const { name, unless = [], unlessFound } = next;
  const whole = unlessFound && typed.length === 1 ? "; without its relayer, a transaction needs its whole ID" : "";
  const instead = unless.map((flag) => `--${flag}`).join(" or ");
  const message = `missing required argument '${name.replace(/[<>.]/g, "")}'${instead && `, or ${instead}`}${whole}`;
  return new RelayctlError("usage", message, { hint: helpOf(command) });
}

async function helpFor(tree: Program, { out }: Papers, allWords: AllWords): Promise<string> {
  const { program, argv } = tree;
  const [, ...topic] = wordsOf(argv, program, argv.length);
  if (argv.includes("--all")) return draw(allPage((await allWords()).program), out());
  if (!wantsJson({ env: {} }, argv)) return await requestedHelpPage(tree, topic, out(), allWords);
  const { programJson, topicJson } = await import("../help/program-json.ts");
  const [name = "", ...rest] = topic;
  return rest.length === 0 && (name === "topics" || Object.hasOwn(TOPICS, name))
    ? topicJson(name, await requestedHelpPage(tree, topic, PLAIN_PAPER, allWords))
    : await programJson(topic, tree.source, allWords);
}

function textFor(text: string): ParsedText {
  return { kind: "text", text, to: "out", exitCode: 0 };
}

async function read(program: CommandSyntax, words: readonly string[], command: CommandSyntax): Promise<LineReading> {
  const exact = readExactly(program, words);
  if (exact) return exact;
  return (await import("./read-with-commander.ts")).readWithCommander(program, words, command);
}

/** Returns the requested text. Help and a bare `relayctl` succeed; a group without a verb is a mistake. */
function findText(stopped: Stopped | undefined, { words, pageOf }: Program, papers: Papers): ParsedText | undefined {
  if (stopped?.why === "version") return textFor(`${VERSION}\n`);
  if (stopped?.why !== "help") return undefined;
  const { of, to } = stopped;
  if (to && words.length === 0) return textFor(draw(barePage(), papers.out()));
  const text = draw(pageOf(of), papers[to ?? "out"]());
  if (!to) return textFor(text);
  return {
    kind: "text",
    text,
    to,
    exitCode: 2,
    mistake: new RelayctlError("usage", "missing command", { hint: helpOf(of) }),
  };
}
