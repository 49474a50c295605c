import type { Call } from "../command-support/call.ts";
import type { CommonFlags } from "../command-support/common-flags.ts";
import { beginsUuid, isUuid } from "../contract/id.ts";
import type { OperationKind } from "../contract/operation.ts";
import type { Problems } from "../contract/problems.ts";
import type { Camel } from "../contract/resources/field-types.ts";
import type { Failure } from "../errors.ts";
import type { Choice } from "../terminal/prompts.ts";
import type { ResourceView, View } from "../terminal/view.ts";

export type InteractiveFlag = ParsedFlags<typeof defineInteractiveCommand>;

export function defineInteractiveCommand(command: CommandSyntax) {
  return command.optionsGroup("Request").option("-i, --interactive", "Prompt for values that are not specified");
}

export const DIFF = ["--diff", "Show what would change (old → new) before sending; also works with --dry-run"] as const;

const SAME_TEXT = "not supported: the command prints one text, for other programs";
/** For `refuses` of a command whose result is a script, a token, or a signature. */
export const ONE_TEXT = { output: SAME_TEXT, json: SAME_TEXT };

export const BODY_FILE = [
  "-f, --file <file>",
  "Read the request body from a JSON file (`-` for stdin); flags override its fields",
] as const;

export function commandNumberFlag(
  problems: Problems,
  flag: string,
  text: string | undefined,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): number | undefined {
  if (text === undefined) return undefined;
  const number = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  const bounds = most < Number.MAX_SAFE_INTEGER || number > most ? `from ${least} to ${most}` : `from ${least}`;
  problems.add(flag, `a whole number ${bounds}`, text);
  return undefined;
}

/** @param why a command sends or needs several, or no, requests */
export function refuseRaw({ output }: Pick<Call, "output">, problems: Problems, why = "this needs several"): void {
  if (output.format === "raw") problems.add("-o", `raw is the response to one request, and ${why}`);
}

export type { Call } from "../command-support/call.ts";

/** A command, whose path in this folder is its path on the command line. */
export interface CommandFile<Flags = object, Typed = void> {
  /** One line for the list of commands, in sentence case. */
  summary: string;
  args?: readonly Argument[];
  /** Shown above the flags in help; absent if `define` adds it. */
  description?: string;
  /** Adds flags, except common ones. */
  define?(command: CommandSyntax): void;
  /** Three commands to paste, which run against the embedded server, or a fake. */
  examples: readonly string[];
  /** The kind of request that it sends, which determines most of its exit codes; reads before a write do not count. */
  sends: Sends;
  /** Further kinds of writes that it may send; their exit codes are in `ends`. */
  alsoSends?: readonly OperationKind[];
  /** Additional exit codes, and more exact words for those that follow from `sends`: `{ conflict: "disabled" }`. */
  ends?: Ends;
  /** Set if it can spend: it sends, changes, or cancels transactions, or it signs. */
  spends?: true;
  showsUrls?: When;
  /** Set if its request may only ask, depending on what was typed; read-only mode then only checks the request. */
  mayOnlyAsk?: true;
  /** A token is only read if an older service requires one (facts 1.2). */
  isPublic?: true;
  /** Common flags besides its kind's. */
  takes?: readonly (keyof CommonFlags)[];
  /** Common flags of its kind that it refuses, with the rule. */
  refuses?: Readonly<Partial<Record<keyof CommonFlags, string>>>;
  /** Variables besides the general ones. */
  variables?: readonly string[];
  /** The printed resource, so that `--fields`, `--where`, and `--sort` are validated before anything is sent. */
  resource?: ResourceView;
  /** Set if it reads page after page, or does many things, and has no default time limit. */
  paginates?: When;
  /** Set if it waits for transactions, and has a longer default time limit. */
  waits?: When;
  /** Set if its request depends on a read, so that a dry run needs the service and a token, too. */
  readsFirst?: When;
  /** Returns whether the typed line uses the project's files if it specifies none. */
  projectFiles?(typed: Pick<Call, "args" | "common">): boolean;
  /**
   * Set if it can work in several contexts at the same time; `oneOnly` are its flags that can't, with commander's
   * names, besides a watch's flags. It runs once in each, unless it works in all of them `itself`.
   */
  contexts?: { oneOnly?: readonly string[]; itself?: true };
  /** Finds problems that no argument can fix, before it prompts for a missing argument. */
  validateFlags?(call: Call<Flags>, problems: Problems): void;
  /**
   * Prompts for required input, and with `-i` for everything that was not typed, and adds it to `call.entered` as
   * words. Only called with a terminal attached, and if no typed input is known to be wrong.
   * @returns false if it leaves nothing to do
   */
  interview?(call: Call<Flags>): Promise<boolean>;
  /** Returns what the line needs without prompts, as shell words. */
  inScripts?(call: Call<Flags>): Promise<readonly string[]>;
  /** Reads and validates the input, including files, and sends nothing. A problem prevents `run`, and may leave no result. */
  prepare?(call: Call<Flags>, problems: Problems): Promise<Typed | undefined>;
  /** @param typed the result of `prepare` */
  run(call: Call<Flags>, typed: Typed): Promise<View>;
}

/** What commands of a kind say about themselves. */
export type Described = Pick<CommandFile, "summary" | "examples"> & { description: string };

/** Returns a command whose `define` gives its flags their types, and whose `prepare` its typed values. */
export function createCommand<D extends Declared = never, Typed = void>(
  file: CommandFile<FlagsOf<D>, Typed> & { define?(command: CommandSyntax): CommandSyntax<D> },
): CommandFile<FlagsOf<D>, Typed> {
  return file;
}

/** Always, or depending on the typed line. */
type When = true | ((typed: Pick<Call, "args" | "flags">) => boolean);

/**
 * What a command sends: one kind of request; any request; one page to test a token; deliveries to a typed URL; or
 * nothing, even if it reads the journal, which the demo has, too.
 */
export type Sends = OperationKind | "anything" | "nothing" | "journal" | "probe" | "deliveries";

/** The outcomes of a command, in a few words each; false for an outcome that cannot happen. */
export type Ends = Readonly<Partial<Record<Failure | "ok", string | false>>>;

export type AnyCommand = CommandFile<object, unknown>;

/** The commands of a noun, by verb. Each is loaded when it is typed. */
export type CommandGroup = Readonly<Record<string, () => Promise<AnyCommand>>>;

export function commandAppliesTo(when: When | undefined, typed: Parameters<Exclude<When, true>>[0]): boolean {
  return typeof when === "function" ? when(typed) : when === true;
}

/** Returns whether a flag, lines of stdin, or a transaction's ID replace a missing argument. */
export function isReplaced(
  { unless = [], unlessStdin, unlessFound }: ArgumentSyntax,
  flags: Readonly<Record<string, unknown>>,
  typed: readonly string[],
): boolean {
  if (unless.some((flag) => flags[flag] !== undefined)) return true;
  const last = typed.at(-1) ?? "";
  return (unlessStdin === true && last === "-") || (unlessFound === true && typed.length === 1 && isUuid(last));
}

/** Returns the words of a line for transactions whose IDs, or relayers, have to be looked up. */
export function soughtWords(
  { args: [, second] = [] }: Pick<AnyCommand, "args">,
  { args, flags }: { args: readonly string[]; flags: Readonly<Record<string, unknown>> },
): readonly string[] {
  if (!second?.unlessFound || args.includes("-") || second.unless?.some((flag) => flags[flag] !== undefined)) return [];
  const isSought = (word: string) => beginsUuid(word) || (args.length === 1 && isUuid(word));
  return (args.length === 1 ? args : args.slice(1)).filter(isSought);
}

/** A word after a command's name. A missing required argument is prompted for on a terminal. */
export interface Argument extends ArgumentSyntax {
  words?: readonly string[];
  /** Set if it is a path, which the shell completes. */
  isFile?: true;
  /** The kind of resource, if it differs from the name: `relayer` for `<id>`. */
  noun?: string;
  /** Returns the choices, given the earlier arguments; undefined if unknown. */
  choices?(call: Call): Promise<readonly Choice<string>[] | undefined>;
  problem?(answer: string): string | undefined;
}

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
type Declared = readonly [member: string, value: unknown];

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

type FlagsOf<D extends Declared> = {
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
