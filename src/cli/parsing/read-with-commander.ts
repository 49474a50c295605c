import { Command, CommanderError, Option } from "commander";
import { type CommandSyntax, type Flag, HELP_FLAG } from "../../commands/command.ts";
import type { LineReading, Stopped } from "./reading.ts";

interface Shown {
  of: CommandSyntax;
  to: "out" | "err";
}

/** Lets commander read a line that `parseLineExactly` does not. @param chosen the command that the words lead to */
export async function readWithCommander(
  program: CommandSyntax,
  words: readonly string[],
  chosen: CommandSyntax,
): Promise<LineReading> {
  const counts = new Map<Flag, number>();
  const commands = new Map<CommandSyntax, Command>();
  const shown: Shown = { of: program, to: "out" };
  const root = new Command(program.name);
  root.exitOverride().showSuggestionAfterError(false).helpOption(HELP_FLAG.flags, HELP_FLAG.description);
  root.configureOutput({ writeOut: () => setStream(shown, "out"), writeErr: () => setStream(shown, "err") });
  const define = (command: Command, syntax: CommandSyntax) => {
    commands.set(syntax, command);
    command.configureHelp({ formatHelp: () => setCommand(shown, syntax) });
    for (const flag of syntax.flags) {
      command.addOption(buildOption(flag));
      command.on(`option:${flag.name}`, () => counts.set(flag, (counts.get(flag) ?? 0) + 1));
    }
    for (const { name, unless, unlessFound } of syntax.args ?? [])
      command.argument(unless || unlessFound ? name.replace("<", "[").replace(">", "]") : name);
    if (syntax.args) command.allowExcessArguments().action(() => {});
    for (const below of syntax.commands) define(command.command(below.name), below);
  };
  define(root, program);
  root.on("option:version", () => {
    throw new CommanderError(0, "commander.version", "");
  });
  const stopped = stoppedBy(await parseError(root, words), shown) ?? withoutVerb(chosen);
  return {
    args: commands.get(chosen)?.args ?? [],
    valuesOf: (syntax) => commands.get(syntax)?.opts() ?? {},
    counts,
    ...(stopped && { stopped }),
  };
}

/** After `--`, commander runs a verb without the words that lead to it. */
function withoutVerb(chosen: CommandSyntax): Stopped | undefined {
  return chosen.args ? undefined : { why: "help", of: chosen, to: "err" };
}

function setStream(shown: Shown, to: Shown["to"]): void {
  shown.to = to;
}

/** @returns the text of the page, which is drawn elsewhere */
function setCommand(shown: Shown, of: CommandSyntax): string {
  shown.of = of;
  return of.name;
}

function buildOption({ flags, description, adds }: Flag): Option {
  const option = new Option(flags, description);
  if (adds === "times") return option.argParser((_, before: number | undefined) => (before ?? 0) + 1);
  if (adds === "values")
    return option.argParser((value, before: unknown) => [...(Array.isArray(before) ? before : []), value]);
  return option;
}

async function parseError(root: Command, words: readonly string[]): Promise<CommanderError | undefined> {
  try {
    await root.parseAsync(words, { from: "user" });
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError) return error;
    throw error;
  }
}

const MISTAKES = {
  "commander.unknownCommand": "command",
  "commander.unknownOption": "flag",
  "commander.missingArgument": "argument",
  "commander.optionMissingArgument": "value",
} as const;

function stoppedBy(error: CommanderError | undefined, { of, to }: Shown): Stopped | undefined {
  switch (error?.code) {
    case undefined:
      return undefined;
    case "commander.version":
      return { why: "version" };
    case "commander.helpDisplayed":
      return { why: "help", of };
    case "commander.help":
      return { why: "help", of, to };
    default: {
      const why = MISTAKES[error?.code as keyof typeof MISTAKES] ?? "other";
      return { why, message: error?.message.replace(/^error: /, "") ?? "" };
    }
  }
}
