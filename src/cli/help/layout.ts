import type { Command, HelpConfiguration } from "commander";

/** How help is laid out: headings without a colon, and a command's operands beside its name. */
export const HELP: HelpConfiguration = {
  styleTitle: (title) => title.replace(/:$/, ""),
  subcommandTerm: (command: Command) => [command.name(), ...command.registeredArguments.map((operand) => `<${operand.name()}>`)].join(" "),
};
