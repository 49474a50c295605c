import type { CommandSyntax, Flag } from "../../commands/flags/syntax.ts";

export type Values = Record<string, unknown>;

export interface Reading {
  args: readonly string[];
  /** The values of the flags of a command, with the defaults of those that were not typed. */
  valuesOf(command: CommandSyntax): Values;
  counts: ReadonlyMap<Flag, number>;
  stopped?: Stopped;
}

export type Stopped =
  | { why: "version" }
  /** `to` is set if the help was not requested with a flag: exit code 2, and on stderr for a noun without its verb. */
  | { why: "help"; of: CommandSyntax; to?: "out" | "err" }
  | Mistake;

/** A command or a flag that does not exist, an argument that is missing, or the value of a flag. */
export interface Mistake {
  why: "command" | "flag" | "argument" | "value" | "other";
  message: string;
}

/** Collects the values of flags in the order in which they were typed. */
export class FlagValues {
  readonly counts = new Map<Flag, number>();
  readonly #values = new Map<CommandSyntax, Values>();

  add(command: CommandSyntax, flag: Flag, typed?: string): void {
    const values = this.of(command);
    const { attribute } = flag;
    values[attribute] = valueAfter(values[attribute], flag, typed);
    this.counts.set(flag, (this.counts.get(flag) ?? 0) + 1);
  }

  readonly of = (command: CommandSyntax): Values => {
    const found = this.#values.get(command) ?? { ...command.defaults };
    this.#values.set(command, found);
    return found;
  };
}

function valueAfter(before: unknown, { adds, takesMany, negates }: Flag, typed: string | undefined): unknown {
  if (adds === "times") return (typeof before === "number" ? before : 0) + 1;
  if (typed === undefined) return !negates;
  return adds || takesMany ? [...(Array.isArray(before) ? before : []), typed] : typed;
}
