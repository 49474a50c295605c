/** A declared flag, for parsing, help, and completion. Each has all members, for one hidden class in V8. */
export interface Flag {
  /** As in the declaration: `-o, --output <format>`. */
  flags: string;
  description: string;
  short: string | undefined;
  long: string;
  /** `output` of `--output`, `no-headers` of `--no-headers`. */
  name: string;
  /** The member that holds its value: `perPage` of `--per-page`, `headers` of `--no-headers`. */
  attribute: string;
  takesValue: boolean;
  /** Set if all words up to the next flag are its values. */
  takesMany: true | undefined;
  /** Set if it turns off what another flag, or the default, turns on. */
  negates: true | undefined;
  /** Set if it can be repeated: its values in order, or how often it was typed. */
  adds: "values" | "times" | undefined;
  /** The allowed words. `cli/choices` validates the input, so that all mistakes are reported at once. */
  choices: readonly string[] | undefined;
  /** The heading that it stands under in help. */
  group: string | undefined;
}

export interface ArgumentSyntax {
  /** As in help: `<id>` is required, `[name]` is optional, and the last may repeat, e.g. `<ids...>`. */
  name: string;
  /** The text in help, and in the error for a missing value. */
  description: string;
  /** Flags that replace it, by their attributes: with one of them it is not needed. */
  unless?: readonly string[];
  /** Set if the argument before it may be `-`, whose lines then stand for both. */
  unlessStdin?: true;
}

/** What can be typed for a command: its flags and arguments, or the commands below it. */
export class CommandSyntax {
  readonly name: string;
  readonly parent: CommandSyntax | undefined;
  readonly commands: CommandSyntax[] = [];
  readonly flags: Flag[] = [];
  /** The values of flags that were not typed. */
  readonly defaults: Record<string, unknown> = {};
  summary = "";
  about = "";
  /** Absent for a noun, whose verb has to follow. */
  args?: readonly ArgumentSyntax[];
  #group: string | undefined;

  constructor(name: string, parent?: CommandSyntax) {
    this.name = name;
    this.parent = parent;
  }

  command(name: string): CommandSyntax {
    const command = new CommandSyntax(name, this);
    this.commands.push(command);
    return command;
  }

  description(text: string): this {
    this.about = text;
    return this;
  }

  /** Sets the heading of the flags that follow. */
  optionsGroup(heading: string): this {
    this.#group = heading;
    return this;
  }

  /** Adds a flag; with `adds`, it can be repeated. */
  option(flags: string, description: string, adds?: Flag["adds"]): this {
    return this.#add(flagOf(flags, description, { adds, group: this.#group }));
  }

  /** Adds a flag for one of a few words. */
  choice(flags: string, description: string, choices: readonly string[]): this {
    return this.#add(flagOf(flags, description, { choices, group: this.#group }));
  }

  #add(flag: Flag): this {
    const isAlone = flag.negates && !this.flags.some(({ attribute }) => attribute === flag.attribute);
    if (isAlone) this.defaults[flag.attribute] = true;
    this.flags.push(flag);
    return this;
  }
}

/** What every command has besides its own flags. */
export const HELP_FLAG: Flag = flagOf("-h, --help", "Print help");

function flagOf(
  flags: string,
  description: string,
  { adds, choices, group }: Partial<Pick<Flag, "adds" | "choices" | "group">> = {},
): Flag {
  const [, short, long = "", many] = /^(?:(-.), )?(--[a-z][a-z0-9-]*)(?: <[^>.]+(\.\.\.)?>)?$/.exec(flags) ?? [];
  if (long === "") throw new Error(`${flags} declares no flag`);
  const name = long.slice(2);
  const negates = name.startsWith("no-") || undefined;
  return {
    flags,
    description,
    short,
    long,
    name,
    attribute: camelCase(negates ? name.slice(3) : name),
    takesValue: flags.endsWith(">"),
    takesMany: many === undefined ? undefined : true,
    negates,
    adds,
    choices,
    group,
  };
}

function camelCase(name: string): string {
  return name.includes("-") ? name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()) : name;
}
