import type { CommandSyntax } from "../../commands/flags/syntax.ts";

export function namesOf(command: CommandSyntax): string[] {
  return command.parent ? [...namesOf(command.parent), command.name] : [];
}

/** Returns the command line that prints the help of a command: `relayctl relayers update --help`. */
export function helpOf(command: CommandSyntax): string {
  return ["relayctl", ...namesOf(command), "--help"].join(" ");
}
