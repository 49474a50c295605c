import type { Camel } from "../../contract/resources/field-types.ts";

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
  /** `cli/choices` validates the input, so that all mistakes are reported at once. */
  choices: readonly string[] | undefined;
  /** The heading above it in help. */
  group: string | undefined;
}

export interface ArgumentSyntax {
  /** As in help: `<id>` is required, `[name]` is optional, and the last may repeat, e.g. `<ids...>`. */
  name: string;
  /** For help, and for the error for a missing value. */
  description: string;
  /** The attributes of flags that replace it. */
  unless?: readonly string[];
  /** Set if the previous argument may be `-`, whose lines then contain both. */
  unlessStdin?: true;
  /** Set if a transaction's ID may come without its relayer, which is then looked up. */
  unlessFound?: true;
}

/** The member that holds the value of a flag, and its type: `["perPage", string]`. */
export type Declared = readonly [member: string, value: unknown];

/** What `--per-page <n>` declares. @template One the type of one value */
type DeclaredBy<Text extends string, Adds, One = string> = Text extends `-${string}, ${infer Long}`
  ? DeclaredBy<Long, Adds, One>
  : Text extends `--no-${infer Name}`
    ? [Camel<Name>, false]
    : Text extends `--${infer Name} <${infer Value}>`
      ? [Camel<Name>, Value extends `${string}...` ? string[] : Adds extends "values" ? string[] : One]
      : Text extends `--${infer Name}`
        ? [Camel<Name>, Adds extends "times" ? number : true]
        : never;

/** The flags as typed, by the function that declares them. A flag that only turns something off is true by default. */
export type ParsedFlags<Define> = FlagsOf<DeclaredIn<Define>>;

export type FlagsOf<D extends Declared> = {
  [Member in D[0]]?: [Typed<D, Member>] extends [false] ? boolean : Typed<D, Member>;
};

type DeclaredIn<Define> = Define extends (...args: never[]) => CommandSyntax<infer D> ? D : never;

type Typed<D extends Declared, Member> = Extract<D, readonly [Member, unknown]>[1];

/** The flags and arguments of a command, or its subcommands. @template D its flags so far */
export class CommandSyntax<D extends Declared = never> {
  /** Only a type. As the parameter of a method it keeps commands with other flags assignable to each other. */
  declare readonly declared: { add(flag: D): void };
  readonly name: string;
  readonly parent: CommandSyntax | undefined;
  readonly commands: CommandSyntax[] = [];
  readonly flags: Flag[] = [];
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

  optionsGroup(heading: string): this {
    this.#group = heading;
    return this;
  }

  option<const Text extends string, const Adds extends Flag["adds"] = undefined>(
    flags: Text,
    description: string,
    adds?: Adds,
  ): CommandSyntax<D | DeclaredBy<Text, Adds>> {
    return this.#add(buildFlag(flags, description, { adds, group: this.#group }));
  }

  choice<const Text extends string, const Word extends string>(
    flags: Text,
    description: string,
    choices: readonly Word[],
  ): CommandSyntax<D | DeclaredBy<Text, undefined, Word>> {
    return this.#add(buildFlag(flags, description, { choices, group: this.#group }));
  }

  include<Args extends unknown[], Added extends Declared>(
    define: (command: CommandSyntax, ...args: Args) => CommandSyntax<Added>,
    ...args: Args
  ): CommandSyntax<D | Added> {
    define(this, ...args);
    return this;
  }

  #add(flag: Flag): this {
    const isAlone = flag.negates && !this.flags.some(({ attribute }) => attribute === flag.attribute);
    if (isAlone) this.defaults[flag.attribute] = true;
    this.flags.push(flag);
    return this;
  }
}

export const HELP_FLAG: Flag = buildFlag("-h, --help", "Print help");

function buildFlag(
  flags: string,
  description: string,
  { adds, choices, group }: Partial<Pick<Flag, "adds" | "choices" | "group">> = {},
): Flag {
  const start = flags.indexOf("--");
  if (start < 0) throw new Error(`${flags} declares no flag`);
  const [long = ""] = flags.slice(start).split(" ", 1);
  const name = long.slice(2);
  const negates = name.startsWith("no-") || undefined;
  return {
    flags,
    description,
    short: start === 0 ? undefined : flags.slice(0, flags.indexOf(",")),
    long,
    name,
    attribute: camelCase(negates ? name.slice(3) : name),
    takesValue: flags.endsWith(">"),
    takesMany: flags.endsWith("...>") || undefined,
    negates,
    adds,
    choices,
    group,
  };
}

function camelCase(name: string): string {
  const [first = "", ...more] = name.split("-");
  return first + more.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}
