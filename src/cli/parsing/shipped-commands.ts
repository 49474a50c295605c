import { type CommandSyntax, type Flag, HELP_FLAG } from "../../commands/command.ts";
import { parseShippedWords, type ReadShipped } from "../../completion/shipped-words.ts";
import type { CommandWords, FlagWords, Words } from "../../completion/words.ts";
import type { CommandFacts } from "../help/command-facts.ts";
import type { CommandSource, KnownCommand } from "./command-source.ts";

/** A flag as completion knows it, with the facts for parsing and help. */
export type ShippedFlag = FlagWords &
  Pick<Flag, "flags"> & {
    adds?: Flag["adds"];
    group?: Flag["group"];
    /** Set if only its words are allowed. */
    isChoice?: true;
  };

export interface ShippedCommand extends CommandWords {
  commands: readonly ShippedCommand[];
  flags: readonly ShippedFlag[];
  /** Absent for a noun with verbs. */
  page?: CommandFacts & { about: string };
}

export type ShippedWords = Omit<Words, "program"> & {
  program: Omit<CommandWords, "commands"> & { commands: readonly ShippedCommand[] };
};

/** Returns the facts besides the words. */
export function shippedFlag({ flags, adds, group, choices }: Flag): Omit<ShippedFlag, keyof FlagWords> {
  return { flags, ...(adds && { adds }), ...(group !== undefined && { group }), ...(choices && { isChoice: true }) };
}

/** The commands as the build wrote them down: none of them is loaded. */
export function shippedCommands(read: ReadShipped): CommandSource {
  const found = new Map<string, ShippedCommand>();
  const nounFor = (name: string) => {
    const noun = found.get(name) ?? (parseShippedWords(read(name)) as ShippedCommand);
    found.set(name, noun);
    return noun;
  };
  return {
    verbsOf: async (noun) => nounFor(noun).commands.map(({ name }) => name),
    async load(noun, typed) {
      const { page, commands, ...words } = nounFor(noun);
      if (page) return [{ known: knownCommand({ ...words, commands }, page) }];
      const all = !commands.some(({ name }) => name === typed);
      return commands.map((command) => {
        const { name: verb, page } = command;
        return { verb, ...(page && (all || verb === typed) && { known: knownCommand(command, page) }) };
      });
    },
  };
}

function knownCommand(shipped: ShippedCommand, page: ShippedPage): KnownCommand {
  return { facts: page, define: (command) => defineShipped(command, shipped, page) };
}

function defineShipped(command: CommandSyntax, { flags }: ShippedCommand, { summary, args, about }: ShippedPage): void {
  command.summary = summary;
  command.args = args;
  command.description(about);
  for (const { flags: declared, summary, group, adds, value, isChoice } of flags) {
    if (declared === HELP_FLAG.flags) continue;
    if (group !== undefined) command.optionsGroup(group);
    if (isChoice && Array.isArray(value)) command.choice(declared, summary, value);
    else command.option(declared, summary, adds);
  }
}

type ShippedPage = NonNullable<ShippedCommand["page"]>;
