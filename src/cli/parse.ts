import { withFullWords } from "./parsing/argv.ts";
import { loadedCommands } from "./parsing/loaded-commands.ts";
import { type Papers, type ParsedLine, type ParsedText, PLAIN_PAPERS, parseLine } from "./parsing/parse-line.ts";
import { buildProgram, type Chosen } from "./program.ts";

export interface ParsedCommand extends Omit<ParsedLine, "chosen"> {
  chosen: Chosen;
}

/** Parses a line, and loads its command. @throws RelayctlError usage, never with the value of an unknown flag */
export async function parse(
  typed: readonly string[],
  papers: Papers = PLAIN_PAPERS,
): Promise<ParsedCommand | ParsedText> {
  const tree = await buildProgram(typed, loadedCommands, withFullWords);
  const parsed = await parseLine(
    tree,
    papers,
    async () => await (await import("./completion-words.ts")).completionWords(),
  );
  if (parsed.kind === "text") return parsed;
  const file = tree.files.get(parsed.chosen.command);
  if (!file) throw new Error("the words lead to no command");
  return { ...parsed, chosen: { ...parsed.chosen, file } };
}
