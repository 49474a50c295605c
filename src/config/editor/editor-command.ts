import { usageError } from "../../errors.ts";
import { type Environment, variable } from "../environment.ts";

/** A program with its arguments, and the name by which a person knows it. */
export interface EditorCommand {
  argv: readonly string[];
  /** `$VISUAL`, `$EDITOR`, or the program that stands in for them. */
  from: string;
}

/**
 * The editor that a person has chosen: `$VISUAL`, else `$EDITOR`, else one that every machine has.
 * @param platform `process.platform`
 * @throws RelayctlError usage, when the variable holds no command
 */
export function editorCommand(env: Environment, platform: string): EditorCommand {
  for (const name of ["VISUAL", "EDITOR"]) {
    const typed = variable(env, name)?.trim();
    if (typed) return { argv: commandWords(name, typed), from: `$${name}` };
  }
  const program = platform === "win32" ? "notepad" : "vi";
  return { argv: [program], from: program };
}

/** A quoted part, or a character behind a backslash. Another backslash stands for itself, as in a Windows path. */
const QUOTED = /'([^']*)'|"((?:\\["\\]|[^"])*)"|\\([\s'"\\])/g;
const WORD = new RegExp(`(?:${QUOTED.source}|[^\\s'"])+`, "g");

/** `code --wait`, `"/opt/My Editor/edit" -w`: words as a shell splits them, and nothing else that a shell does. */
function commandWords(name: string, typed: string): string[] {
  if (typed.replace(WORD, "").trim() !== "")
    throw usageError([{ where: `$${name}`, given: typed, rule: "has a quote that does not end" }]);
  return [...typed.matchAll(WORD)].map(([word]) => word.replace(QUOTED, unquoted));
}

function unquoted(_: string, single?: string, double?: string, escaped?: string): string {
  return single ?? double?.replace(/\\(["\\])/g, "$1") ?? escaped ?? "";
}
