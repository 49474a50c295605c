import type { Command, Option } from "commander";
import { type Problem, usageError } from "../errors.ts";

/** The first two words that are neither flags nor values of the common flags: the noun and the verb. */
export function wordsOf(argv: readonly string[], program: Command): string[] {
  const words: string[] = [];
  for (let index = 0; index < argv.length && words.length < 2; index++) {
    const token = argv[index] ?? "";
    if (token === "--") break;
    if (!token.startsWith("-") || token === "-") words.push(token);
    else if (takesValue(program.options, token)) index++;
  }
  return words;
}

function takesValue(options: readonly Option[], token: string): boolean {
  const option = options.find(({ long, short }) => long === token || short === token);
  return option?.required === true;
}

/**
 * Refuses what commander would read in a way that nobody means: a flag that takes the next flag as its value, and two
 * readers of one stdin.
 */
export function judgeArgv(argv: readonly string[], commands: readonly Command[]): void {
  const options = commands.flatMap(({ options }) => options);
  const end = argv.indexOf("--");
  const tokens = end < 0 ? argv : argv.slice(0, end);
  const problems = [...swallowed(tokens, options), ...stdinTwice(tokens)];
  if (problems.length > 0) throw usageError(problems);
}

function swallowed(tokens: readonly string[], options: readonly Option[]): Problem[] {
  return tokens.flatMap((token, index) => {
    const next = tokens[index + 1] ?? "";
    const isFlag = options.some(({ long, short }) => next.split("=")[0] === long || next === short);
    if (!takesValue(options, token) || !isFlag) return [];
    return [{ where: token, rule: `needs a value, and ${next.split("=")[0]} is a flag; if it is meant, write ${token}=${next.split("=")[0]}` }];
  });
}

function stdinTwice(tokens: readonly string[]): Problem[] {
  const readers = tokens.filter((token) => token === "-" || token.endsWith("=-"));
  return readers.length > 1 ? [{ where: "-", rule: "stands for stdin, and only one part of a command can read it" }] : [];
}
