import { usageError } from "../../errors.ts";
import { type Environment, variable } from "../environment.ts";

/** A program with its arguments, and its name for the user. */
export interface EditorCommand {
  argv: readonly string[];
  /** `$VISUAL`, `$EDITOR`, or the fallback program. */
  from: string;
}

/**
 * Returns the user's editor: `$VISUAL`, or `$EDITOR`, or one that every machine has.
 * @param platform `process.platform`
 * @throws RelayctlError usage if the variable is not a command
 */
export function editorCommand(env: Environment, platform: string): EditorCommand {
  for (const name of ["VISUAL", "EDITOR"]) {
    const typed = variable(env, name)?.trim();
    if (typed) return { argv: commandWords(name, typed), from: `$${name}` };
  }
  const program = platform === "win32" ? "notepad" : "vi";
  return { argv: [program], from: program };
}

/** Matches a quoted part, or a character after a backslash. Any other backslash is literal, as in a Windows path. */
const QUOTED = /'([^']*)'|"((?:\\["\\]|[^"])*)"|\\([\s'"\\])/g;
const WORD = new RegExp(`(?:${QUOTED.source}|[^\\s'"])+`, "g");

/** Splits `code --wait` or `"/opt/My Editor/edit" -w` into words like a shell, without any other shell feature. */
function commandWords(name: string, typed: string): string[] {
  if (typed.replace(WORD, "").trim() !== "")
    throw usageError([{ where: `$${name}`, given: typed, rule: "has a quote that is not closed" }]);
  return [...typed.matchAll(WORD)].map(([word]) => word.replace(QUOTED, unquoted));
}

function unquoted(_: string, single?: string, double?: string, escaped?: string): string {
  return single ?? double?.replace(/\\(["\\])/g, "$1") ?? escaped ?? "";
}
