import type { Command } from "commander";
import type { Call } from "../command-support/call.ts";
import type { Problems } from "../command-support/problems.ts";
import type { OperationKind } from "../contract/operation.ts";
import type { Failure } from "../errors.ts";
import type { ResourceView, View } from "../terminal/view.ts";
import type { Argument } from "./argument.ts";

export type { Call } from "../command-support/call.ts";

/** One command: how it is typed, and what it does. Its path in this folder is its path on the command line. */
export interface CommandFile<Flags = object, Typed = void> {
  /** One line for the list of commands, in sentence case. */
  summary: string;
  /** What follows its name, in this order. */
  args?: readonly Argument[];
  /** Adds description and flags to a command that has its name and operands already. The common flags are not its business. */
  define(command: Command): void;
  /** Three commands that can be pasted. They run against the embedded server, or one that plays what that does not. */
  examples: readonly string[];
  /** The kind of request that it sends, from which most of its exit codes follow; the reads before a write do not count. */
  sends: Sends;
  /** Additional exit codes, and more exact words for those that follow from `sends`: `{ conflict: "disabled" }`. */
  ends?: Ends;
  /** Public on the service: a token is read only if an older service requires one (facts 1.2). */
  isPublic?: true;
  /** Variables that it reads, besides those of every command. */
  variables?: readonly string[];
  /** What it prints, so that `--fields`, `--where` and `--sort` are judged before anything is sent. */
  resource?: ResourceView;
  /** It reads page after page, or does many things: it has no limit in time unless one is typed. */
  paginates?: When;
  /** Its request is known only after the thing was read: a request that is only shown needs the service and a token too. */
  readsFirst?: When;
  /** Finds what no operand can mend, before one that is missing is asked for. */
  validateFlags?(call: Call<Flags>, problems: Problems): void;
  /**
   * Asks for what the command cannot do without, and with `-i` for all that was not typed. Called where a person is there,
   * and nothing that was typed is known to be wrong.
   * @returns the answers as words of the command line; nothing when they leave nothing to do
   */
  interview?(call: Call<Flags>): Promise<readonly string[] | undefined>;
  /** What the line without questions needs beside the answers, as words of a shell: what was asked and is no word of the line. */
  inScripts?(call: Call<Flags>): Promise<readonly string[]>;
  /** Reads and judges what was typed, files included, and sends nothing. With a problem found, `run` is not called. */
  prepare?(call: Call<Flags>, problems: Problems): Promise<Typed>;
  /** @param typed what `prepare` gave */
  run(call: Call<Flags>, typed: Typed): Promise<View>;
}

/** Always, or where it is so by what was typed. */
export type When = true | ((typed: Pick<Call, "args" | "flags">) => boolean);

/** What a command sends: one kind of request, any request, none, or a list of one to see whether a token works. */
export type Sends = OperationKind | "anything" | "nothing" | "probe";

/** The outcomes of a command, in a few words each; false for an outcome that cannot happen. */
export type Ends = Readonly<Partial<Record<Failure | "ok", string | false>>>;

/** Any command, as the command line holds it. */
export type AnyCommand = CommandFile<object, unknown>;

/** The commands of a noun, by their verbs. Each is loaded when it is typed. */
export type CommandGroup = Readonly<Record<string, () => Promise<AnyCommand>>>;
