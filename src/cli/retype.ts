import type { Command, Option } from "commander";
import type { Call } from "../command-support/call.ts";
import { usageError } from "../errors.ts";
import { parse } from "./parse.ts";

/** Returns the call with another command line, parsed as if it had been typed. */
export async function retyped(call: Call, argv: readonly string[]): Promise<Call> {
  const parsed = await parse(argv);
  if (parsed.kind === "text") throw new Error("the prompts turned a command into a text");
  const { chosen, missing, problems } = parsed;
  if (missing) throw missing;
  if (problems.length > 0) throw usageError(problems);
  return { ...call, argv, args: chosen.args, flags: chosen.command.opts() };
}

/** Adds arguments at the end of the line, after `--` if one of them could be parsed as a flag. */
export function withArguments(argv: readonly string[], args: readonly string[]): string[] {
  const needsEnd = !argv.includes("--") && args.some((word) => word.startsWith("-"));
  return [...argv, ...(needsEnd ? ["--"] : []), ...args];
}

/** Adds flags in a valid position in place of `-i`, even inside combined letters: `-vi`. */
export function withAnswers(argv: readonly string[], answers: readonly string[], command: Command): string[] {
  const options = optionsOf(command);
  const end = argv.indexOf("--");
  const at = end < 0 ? argv.length : end;
  const flags = argv.slice(0, at).flatMap((word) => withoutInteractive(word, options));
  return [...flags, ...answers, ...argv.slice(at)];
}

function withoutInteractive(word: string, options: readonly Option[]): string[] {
  if (word === "-i" || word === "--interactive") return [];
  const takesValue = (letter: string) => options.some(({ short, required }) => required && short === `-${letter}`);
  const letters = /^-([a-z]+)$/i.exec(word)?.[1] ?? "";
  const at = letters.indexOf("i");
  const isFlag = at >= 0 && ![...letters.slice(0, at)].some(takesValue);
  return [isFlag ? `-${letters.slice(0, at)}${letters.slice(at + 1)}` : word];
}

/** Returns the command's own options and the common ones. */
function optionsOf(command: Command | null): Option[] {
  return command ? [...command.options, ...optionsOf(command.parent)] : [];
}
