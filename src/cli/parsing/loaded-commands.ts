import { type AnyCommand, defineInteractiveCommand } from "../../commands/command.ts";
import { commandFacts } from "../help/command-facts.ts";
import { type Branch, HIDDEN, TREE } from "../tree.ts";
import type { CommandSource, KnownCommand, NamedCommand } from "./command-source.ts";

export const loadedCommands: CommandSource = {
  async verbsOf(noun) {
    const branch = branchFor(noun);
    return branch && "verbs" in branch ? Object.keys(branch.verbs()) : [];
  },
  async load(noun, verb) {
    const branch = branchFor(noun);
    if (!branch) return [];
    if ("command" in branch) return [{ known: knownCommand(await branch.command()) }];
    const group = branch.verbs();
    const all = verb === undefined || !Object.hasOwn(group, verb);
    const commands: NamedCommand[] = [];
    for (const [name, load] of Object.entries(group))
      commands.push({ verb: name, ...((all || name === verb) && { known: knownCommand(await load()) }) });
    return commands;
  },
};

function branchFor(noun: string): Branch | undefined {
  return [TREE, HIDDEN].find((branches) => Object.hasOwn(branches, noun))?.[noun];
}

function knownCommand(file: AnyCommand): KnownCommand {
  return {
    file,
    get facts() {
      return commandFacts(file);
    },
    define(command) {
      command.summary = file.summary;
      command.args = file.args ?? [];
      command.about = file.description ?? "";
      file.define?.(command);
      if (file.interview) defineInteractiveCommand(command);
    },
  };
}
