import type { Command } from "commander";

/** Returns the words that lead to a command, without the program's name. */
export function namesOf(command: Command): string[] {
  return command.parent ? [...namesOf(command.parent), command.name()] : [];
}

/** Returns the command line that prints the help of a command: `relayctl relayers update --help`. */
export function helpOf(command: Command): string {
  return ["relayctl", ...namesOf(command), "--help"].join(" ");
}
