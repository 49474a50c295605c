import type { CommandSyntax } from "../../commands/command.ts";

export function namesInHelp(command: CommandSyntax): string[] {
  return command.parent ? [...namesInHelp(command.parent), command.name] : [];
}

export function helpOf(command: CommandSyntax): string {
  return ["relayctl", ...namesInHelp(command), "--help"].join(" ");
}
