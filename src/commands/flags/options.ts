import type { Problems } from "../../contract/problems.ts";
import type { CommandSyntax, ParsedFlags } from "./syntax.ts";

export type InteractiveFlag = ParsedFlags<typeof defineInteractive>;

export function defineInteractive(command: CommandSyntax) {
  return command.optionsGroup("Request").option("-i, --interactive", "Prompt for values that are not specified");
}

/** `--diff` with its help; see command-support/perform. */
export const DIFF = ["--diff", "Show what would change (old → new) before sending; also works with --dry-run"] as const;

/** `--file` for a command whose other flags are fields of the request body. */
export const BODY_FILE = [
  "-f, --file <file>",
  "Read the request body from a JSON file (`-` for stdin); flags override its fields",
] as const;

/** Parses a flag's whole number; undefined if it is missing, invalid, or out of range. */
export function numberFlag(
  problems: Problems,
  flag: string,
  text: string | undefined,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): number | undefined {
  if (text === undefined) return undefined;
  const number = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  const bounds = most < Number.MAX_SAFE_INTEGER ? `from ${least} to ${most}` : `from ${least}`;
  problems.add(flag, `a whole number ${bounds}`, text);
  return undefined;
}
