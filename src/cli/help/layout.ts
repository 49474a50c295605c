import type { Command, HelpConfiguration } from "commander";

/** How help is laid out, at the same width everywhere: headings without a colon, and a command's operands beside its name. */
export const HELP: HelpConfiguration = {
  helpWidth: 80,
  optionDescription: ({ description }) => description,
  styleTitle: (title) => (title === "Usage:" ? title : title.replace(/:$/, "")),
  subcommandTerm: (command: Command) =>
    [command.name(), ...command.registeredArguments.map((operand) => `<${operand.name()}>`)].join(" "),
};
