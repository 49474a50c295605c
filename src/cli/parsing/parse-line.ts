import type { CommonFlags } from "../../command-support/common-flags.ts";
import { type ArgumentSyntax, type CommandSyntax, type Flag, isReplaced } from "../../commands/command.ts";
import { Problems } from "../../contract/problems.ts";
import { type Problem, RelayctlError } from "../../errors.ts";
import { VERSION } from "../../version.ts";
import { validateWords } from "../choices.ts";
import { drawHelp, type Layout, PLAIN_LAYOUT } from "../help/draw.ts";
import { helpOf, namesInHelp } from "../help/help-of.ts";
import { programAllPage, programBarePage, programTopicsPage } from "../help/program-page.ts";
import { TOPICS } from "../help/topics.ts";
import { errorFor, unknownCommand } from "../mistake.ts";
import type { ChosenCommand, Program } from "../program.ts";
import {
  argvForCommander,
  argvWithWatchTime,
  argvWords,
  commandInArgv,
  validateArgv,
  validateArgvArguments,
  validateArgvRepeated,
} from "./argv.ts";
import type { AllWords } from "./command-source.ts";
import { FlagValues, type LineReading, type Stopped } from "./reading.ts";
import { wantsJsonEarly } from "./typed-early.ts";

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

export type Layouts = Readonly<Record<ParsedText["to"], () => Layout>>;

export const PLAIN_LAYOUTS: Layouts = { out: () => PLAIN_LAYOUT, err: () => PLAIN_LAYOUT };

/** @throws RelayctlError usage; its message never contains the value of an unknown flag */
export async function parseLine(tree: Program, layouts: Layouts, allWords: AllWords): Promise<ParsedLine | ParsedText> {
  const { program, words } = tree;
  if (words[0] === "help") return textFor(await helpFor(tree, layouts, allWords));
  const commands = [program, ...program.commands.flatMap((command) => [command, ...command.commands])];
  const command = commandInArgv(program, words);
  const argv = argvWithWatchTime(tree.argv, command);
  const { stopped, args, valuesOf, counts } = await readWords(program, argvForCommander(argv, words), command);
  const text = pageText(stopped, tree, layouts);
  if (text) return text;
  const flags = valuesOf(command);
  const mistake = stopped && "message" in stopped ? stopped : undefined;
  const error = mistake && (await errorFor(mistake, validateArgv(argv, commands), { command, words, argv, allWords }));
  if (error && (mistake?.why !== "argument" || !command.args)) throw error;
  const missing = error ?? missingUnless({ command, args, flags });
  const problems = new Problems([
    ...validateArgv(argv, commands),
    ...validateArgvArguments(command, args),
    ...validateArgvRepeated(counts),
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
  layout: Layout,
  allWords: AllWords,
): Promise<string> {
  const [name = "", ...rest] = words;
  const topic = Object.hasOwn(TOPICS, name) && rest.length === 0 ? TOPICS[name] : undefined;
  if (name === "topics" && rest.length === 0) return drawHelp(programTopicsPage(), layout);
  if (topic) return drawHelp(await (await topic.page())(program), layout);
  const command = commandInArgv(program, words);
  const unknown = words[namesInHelp(command).length];
  if (unknown !== undefined)
    throw await unknownCommand(command, unknown, allWords, command === program ? Object.keys(TOPICS) : []);
  return drawHelp(pageOf(command), layout);
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

async function helpFor(tree: Program, { out }: Layouts, allWords: AllWords): Promise<string> {
  const { program, argv } = tree;
  const [, ...topic] = argvWords(argv, program, argv.length);
  if (argv.includes("--all")) return drawHelp(programAllPage((await allWords()).program), out());
  if (!wantsJsonEarly({ env: {} }, argv)) return await requestedHelpPage(tree, topic, out(), allWords);
  const { programJson, topicJson } = await import("../help/program-json.ts");
  const [name = "", ...rest] = topic;
  return rest.length === 0 && (name === "topics" || Object.hasOwn(TOPICS, name))
    ? topicJson(name, await requestedHelpPage(tree, topic, PLAIN_LAYOUT, allWords))
    : await programJson(topic, tree.source, allWords);
}

function textFor(text: string): ParsedText {
  return { kind: "text", text, to: "out", exitCode: 0 };
}

async function readWords(
  program: CommandSyntax,
  words: readonly string[],
  command: CommandSyntax,
): Promise<LineReading> {
  const exact = parseLineExactly(program, words);
  if (exact) return exact;
  return (await import("./read-with-commander.ts")).readWithCommander(program, words, command);
}

/** Returns the requested text. Help and a bare `relayctl` succeed; a group without a verb is a mistake. */
function pageText(stopped: Stopped | undefined, { words, pageOf }: Program, layouts: Layouts): ParsedText | undefined {
  if (stopped?.why === "version") return textFor(`${VERSION}\n`);
  if (stopped?.why !== "help") return undefined;
  const { of, to } = stopped;
  if (to && words.length === 0) return textFor(drawHelp(programBarePage(), layouts.out()));
  const text = drawHelp(pageOf(of), layouts[to ?? "out"]());
  if (!to) return textFor(text);
  return {
    kind: "text",
    text,
    to,
    exitCode: 2,
    mistake: new RelayctlError("usage", "missing command", { hint: helpOf(of) }),
  };
}

/** Reads like commander, which loads slowly; undefined for its special cases: `--`, negative numbers, a late `help`. */
export function parseLineExactly(program: CommandSyntax, words: readonly string[]): LineReading | undefined {
  if (words.some((word) => word === "--" || word === "help" || /^-[\d.]/.test(word))) return undefined;
  const values = new FlagValues();
  const read = readCommand(program, [], words, values);
  return read && { ...read, valuesOf: values.of, counts: values.counts };
}

/** Each command takes its flags anywhere, and leaves everything else to its subcommand. */
function readCommand(
  command: CommandSyntax,
  before: readonly string[],
  words: readonly string[],
  values: FlagValues,
): Pick<LineReading, "args" | "stopped"> | undefined {
  const left = takeFlags(command, words, values);
  if (!left) return undefined;
  const operands = [...before, ...left.operands];
  const args = [...operands, ...left.unknown];
  if (left.stopped) return { args, stopped: left.stopped };
  const [first, ...rest] = operands;
  const next = command.commands.find(({ name }) => name === first);
  if (next) return isLoaded(next) ? readCommand(next, rest, left.unknown, values) : undefined;
  const stopped = mistakeIn(command, operands, left.unknown);
  return { args, ...(stopped && { stopped }) };
}

function isLoaded({ args, commands }: CommandSyntax): boolean {
  return args !== undefined || commands.length > 0;
}

interface Left {
  operands: string[];
  /** Everything from the first foreign flag on. */
  unknown: string[];
  stopped?: Stopped | undefined;
  /** The flag that takes all words up to the next. */
  open?: Flag | undefined;
}

function takeFlags(command: CommandSyntax, words: readonly string[], values: FlagValues): Left | undefined {
  const left: Left = { operands: [], unknown: [] };
  const rest = words.values();
  for (const word of rest) {
    if (word.length < 2 || !word.startsWith("-")) takeWord(left, word, (flag) => values.add(command, flag, word));
    else {
      const taken = flagsIn(word, command.flags);
      if (!taken) return undefined;
      takeWords(left, taken, rest, (flag, value) => {
        left.stopped = stoppedAt(flag, command, value);
        if (!left.stopped) values.add(command, flag, value);
      });
      if (left.stopped) return left;
    }
  }
  return left;
}

function takeWord({ open, unknown, operands }: Left, word: string, add: (flag: Flag) => void): void {
  if (open) add(open);
  else (unknown.length > 0 ? unknown : operands).push(word);
}

/** Adds flags in their order, up to a flag that stops; the last flag may have its value in the next word. */
function takeWords(left: Left, taken: Taken, words: Iterator<string>, add: (flag: Flag, value?: string) => void): void {
  left.open = undefined;
  for (const { flag, value } of taken.found) {
    const waits = flag.takesValue && value === undefined;
    add(flag, waits ? words.next().value : value);
    if (left.stopped) return;
    if (waits && flag.takesMany) left.open = flag;
  }
  if (taken.rest !== undefined) left.unknown.push(taken.rest);
}

function stoppedAt(flag: Flag, { parent }: CommandSyntax, value: string | undefined): Stopped | undefined {
  if (flag.name === "version" && !parent) return { why: "version" };
  if (!flag.takesValue || value !== undefined) return undefined;
  return { why: "value", message: `option '${flag.flags}' argument missing` };
}

interface Taken {
  found: readonly { flag: Flag; value?: string }[];
  rest?: string;
}

function flagsIn(word: string, flags: readonly Flag[]): Taken | undefined {
  const called = (name: string) => flags.find(({ short, long }) => short === name || long === name);
  const whole = called(word);
  if (whole) return { found: [{ flag: whole }] };
  if (word.startsWith("--")) {
    const at = word.indexOf("=");
    const flag = at > 2 ? called(word.slice(0, at)) : undefined;
    return flag?.takesValue ? { found: [{ flag, value: word.slice(at + 1) }] } : { found: [], rest: word };
  }
  const flag = called(word.slice(0, 2));
  if (!flag) return { found: [], rest: word };
  if (flag.takesValue) return { found: [{ flag, value: word.slice(2) }] };
  const after = `-${word.slice(2)}`;
  const more = /^-[-\d.]/.test(after) ? undefined : flagsIn(after, flags);
  return more && { ...more, found: [{ flag }, ...more.found] };
}

function mistakeIn(command: CommandSyntax, words: readonly string[], unknown: readonly string[]): Stopped | undefined {
  const isNoun = command.args === undefined;
  const [first] = words;
  if (isNoun && first === undefined && unknown.length === 0) return { why: "help", of: command, to: "err" };
  if (unknown.includes("-h") || unknown.includes("--help")) return { why: "help", of: command };
  if (isNoun && first !== undefined) return { why: "command", message: `unknown command '${first}'` };
  if (unknown[0] !== undefined) return { why: "flag", message: `unknown option '${unknown[0]}'` };
  const missing = command.args?.slice(words.length).find(isRequired);
  return (
    missing && { why: "argument", message: `missing required argument '${missing.name.replaceAll(/[<>.]/g, "")}'` }
  );
}

/** A replaceable argument is checked once all flags are known. */
function isRequired({ name, unless, unlessFound }: ArgumentSyntax): boolean {
  return name.startsWith("<") && !unless && !unlessFound;
}
