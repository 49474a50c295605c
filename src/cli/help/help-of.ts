import type { Command } from "commander";

/** The words that lead to a command, without the program's own name. */
export function namesOf(command: Command): string[] {
  return command.parent ? [...namesOf(command.parent), command.name()] : [];
}

/** The command that prints the help of a command: `relayctl relayers update --help`. */
export function helpOf(command: Command): string {
  return ["relayctl", ...namesOf(command), "--help"].join(" ");
}
