import type { Command, Option } from "commander";
import { nounOf, verbOf } from "../completion/aliases.ts";
import { idProblem } from "../contract/id.ts";
import type { Problem } from "../errors.ts";
import { HIDDEN, TREE } from "./tree.ts";

/** Returns the first words that are neither flags nor values of the common flags: the noun and the verb. */
export function wordsOf(argv: readonly string[], program: Command, most = 2): string[] {
  const words: string[] = [];
  for (let index = 0; index < argv.length && words.length < most; index++) {
    const token = argv[index] ?? "";
    if (token === "--") break;
    if (!token.startsWith("-") || token === "-") words.push(token);
    else if (takesNext(program.options, token)) index++;
  }
  return words;
}

/**
 * Returns the words with full nouns and verbs: `relayer ls` is `relayers list`, and a noun alone may stand for one of its verbs, as
 * in `history --since 24h`. Before its verb, a noun may have common flags only.
 */
export async function withFullWords(argv: readonly string[], program: Command): Promise<readonly string[]> {
  const first = wordIndex(argv, program, 0);
  if (argv[first] === "version") return [...argv.slice(0, first), "--version", ...argv.slice(first + 1)];
  const isHelp = argv[first] === "help";
  const at = isHelp ? wordIndex(argv, program, first + 1) : first;
  const noun = nounOf(argv[at] ?? "");
  const branch = Object.hasOwn(TREE, noun) ? TREE[noun] : undefined;
  if (!branch) return argv;
  const [before, after] = [[...argv.slice(0, at), noun], argv.slice(at + 1)];
  if (!("group" in branch)) return [...before, ...after];
  const next = wordIndex(argv, program, at + 1);
  const typed = argv[next];
  if (typed !== undefined && (!typed.startsWith("-") || HELP.includes(typed))) {
    const verb = verbOf(typed, Object.keys(await branch.group()));
    return [...before, ...argv.slice(at + 1, next), verb, ...argv.slice(next + 1)];
  }
  return branch.bare === undefined || isHelp ? [...before, ...after] : [...before, branch.bare, ...after];
}

const HELP = ["-h", "--help"];

/** Returns the index of the first token from a position on that is neither a common flag nor its value. */
function wordIndex(argv: readonly string[], { options }: Command, from: number): number {
  let index = from;
  while (index < argv.length && isOneOf(options, argv[index] ?? ""))
    index += takesNext(options, argv[index] ?? "") ? 2 : 1;
  return index;
}

function isOneOf(options: readonly Option[], token: string): boolean {
  const [name] = token.startsWith("--") ? token.split("=") : [token.slice(0, 2)];
  return token.startsWith("-") && options.some(({ long, short }) => long === name || short === name);
}

/** Returns whether the next word is this flag's value: after `--output` and `-vo`, but not after `-ojson`. */
function takesNext(options: readonly Option[], token: string): boolean {
  const takesValue = (name: string) =>
    options.some(({ long, short, required }) => required && (long === name || short === name));
  if (token.startsWith("--")) return takesValue(token);
  const first = [...token].findIndex((letter, index) => index > 0 && takesValue(`-${letter}`));
  return first > 0 && first === token.length - 1;
}

/**
 * Returns problems that commander accepts silently: a flag that takes the next flag as its value, and two readers of
 * one stdin.
 */
export function validateArgv(argv: readonly string[], commands: readonly Command[]): Problem[] {
  const options = commands.flatMap(({ options }) => options);
  const end = argv.indexOf("--");
  const tokens = end < 0 ? argv : argv.slice(0, end);
  return [...swallowed(tokens, options), ...stdinTwice(tokens)];
}

function swallowed(tokens: readonly string[], options: readonly Option[]): Problem[] {
  return tokens.flatMap((token, index) => {
    const [next = ""] = (tokens[index + 1] ?? "").split("=");
    const isFlag = options.some(({ long, short }) => next === long || next === short);
    if (!token.startsWith("-") || !takesNext(options, token) || !isFlag) return [];
    return [
      { where: token, rule: `needs a value, but ${next} is a flag; to use it as the value, write ${token}=${next}` },
    ];
  });
}

/** Matches `-`, `--file=-`, `-f-`, and `name=@-`. */
function stdinTwice(tokens: readonly string[]): Problem[] {
  const readers = tokens.filter((token) => /^(?:-|--[a-z-]+=-|-[a-z]-|[^=]+=(?:[^=]+=)?@-)$/.test(token));
  return readers.length < 2 ? [] : [{ where: "-", rule: "stdin can be read only once per command" }];
}

/** Returns problems with unexpected arguments; a word such as `false` may come from `--paused false`. */
export function validateArguments({ args, registeredArguments }: Command): Problem[] {
  if (registeredArguments.at(-1)?.variadic) return [];
  const takes = registeredArguments.map((argument) => `<${argument.name()}>`).join(" ") || "no arguments";
  return args.slice(registeredArguments.length).map((given) => ({
    where: "argument",
    given,
    rule: isFlagValue(given) ? (idProblem(given) ?? "") : `this command takes ${takes}`,
  }));
}

function isFlagValue(word: string): boolean {
  return word === "true" || word === "false";
}

/** Counts how often each flag is typed, since in commander the last one wins silently. */
export function countFlags(command: Command, counts: Map<Option, number>): void {
  for (const option of command.options) {
    command.on(`option:${option.name()}`, () => counts.set(option, (counts.get(option) ?? 0) + 1));
  }
}

/** Returns problems with a single-value flag given twice, or a flag next to its opposite: relayctl never guesses. */
export function validateRepeated(counts: ReadonlyMap<Option, number>): Problem[] {
  const typed = [...counts.keys()];
  return typed.flatMap((option) => {
    const where = option.long ?? option.flags;
    const opposite = typed.find((other) => other.negate && other.long === `--no-${option.name()}`);
    return [
      ...((counts.get(option) ?? 0) > 1 && takesOne(option) ? [{ where, rule: "specified twice" }] : []),
      ...(opposite ? [{ where, rule: `cannot be combined with ${opposite.long}` }] : []),
    ];
  });
}

/**
 * Returns whether a flag takes one value. Flags with many values collect them in a function; repeating a flag without a
 * value is harmless.
 */
function takesOne(option: Option): boolean {
  return option.parseArg === undefined && !option.variadic && (option.required || option.optional);
}

/**
 * Returns the words for commander: an unknown noun stands alone, so that it is reported before its flags, and
 * `--sort -name` is one word, since commander would read `-n` as a common flag.
 */
export function asCommanderReads(argv: readonly string[], [noun]: readonly string[]): string[] {
  return noun === undefined || Object.hasOwn(TREE, noun) || Object.hasOwn(HIDDEN, noun)
    ? withOrderJoined(argv)
    : [noun];
}

const DESCENDING = /^-[a-z]{2}/i;

function withOrderJoined(argv: readonly string[]): string[] {
  const at = argv.indexOf("--sort");
  const order = argv[at + 1] ?? "";
  if (at < 0 || argv.slice(0, at).includes("--") || !DESCENDING.test(order)) return [...argv];
  return [...argv.slice(0, at), `--sort=${order}`, ...withOrderJoined(argv.slice(at + 2))];
}

/** Returns the last command that the words lead to. */
export function commandAt(program: Command, [name, ...rest]: readonly string[]): Command {
  const next = program.commands.find((command) => command.name() === name);
  return next ? commandAt(next, rest) : program;
}
