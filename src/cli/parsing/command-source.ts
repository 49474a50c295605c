import type { AnyCommand, CommandSyntax } from "../../commands/command.ts";
import type { Words } from "../../completion/words.ts";
import type { CommandFacts } from "../help/command-facts.ts";

/** The source of a line's commands: modules, or the build's description. */
export interface CommandSource {
  verbsOf(noun: string): Promise<readonly string[]>;
  /** Returns the verbs of a noun: the typed verb with its flags, or all of them if it is unknown; or the noun itself, if it is a command. */
  load(noun: string, verb: string | undefined): Promise<readonly NamedCommand[]>;
}

export type AllWords = () => Promise<Pick<Words, "program" | "fields">>;

export interface NamedCommand {
  verb?: string;
  known?: KnownCommand;
}

export interface KnownCommand {
  facts: CommandFacts;
  file?: AnyCommand;
  define(command: CommandSyntax): void;
}
