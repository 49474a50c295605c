import type { CommandSyntax } from "../../commands/command.ts";

export function namesOf(command: CommandSyntax): string[] {
  return command.parent ? [...namesOf(command.parent), command.name] : [];
}

export function helpOf(command: CommandSyntax): string {
  return ["relayctl", ...namesOf(command), "--help"].join(" ");
}
