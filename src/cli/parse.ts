import { argvWithFullWords } from "./parsing/argv.ts";
import type { CommandSource } from "./parsing/command-source.ts";
import { loadedCommands } from "./parsing/loaded-commands.ts";
import { type Layouts, type ParsedLine, type ParsedText, PLAIN_LAYOUTS, parseLine } from "./parsing/parse-line.ts";
import { buildProgram, type ChosenCommand } from "./program.ts";

export interface ParsedCommand extends Omit<ParsedLine, "chosen"> {
  chosen: ChosenCommand;
}

/** Loads the command. @param described returns commands with help @throws usage, never with a flag's value */
export async function parseArgv(
  typed: readonly string[],
  layouts: Layouts = PLAIN_LAYOUTS,
  described?: () => Promise<CommandSource>,
): Promise<ParsedCommand | ParsedText> {
  const allWords = async () => await (await import("./completion-words.ts")).completionWords();
  const tree = await buildProgram(typed, loadedCommands, argvWithFullWords);
  const parsed = await parseLine(tree, layouts, allWords);
  if (parsed.kind === "text") {
    if (!described) return parsed;
    const shown = await parseLine(await buildProgram(typed, await described(), argvWithFullWords), layouts, allWords);
    return shown.kind === "text" ? shown : parsed;
  }
  const file = tree.files.get(parsed.chosen.command);
  if (!file) throw new Error("the words lead to no command");
  return { ...parsed, chosen: { ...parsed.chosen, file } };
}
