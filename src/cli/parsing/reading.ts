import type { CommandSyntax, Flag } from "../../commands/command.ts";

export type Values = Record<string, unknown>;

export interface LineReading {
  args: readonly string[];
  /** The values of a command's flags, including defaults. */
  valuesOf(command: CommandSyntax): Values;
  counts: ReadonlyMap<Flag, number>;
  stopped?: Stopped;
}

export type Stopped =
  | { why: "version" }
  /** `to` is set if the help was not requested with a flag: exit code 2, and on stderr for a noun without its verb. */
  | { why: "help"; of: CommandSyntax; to?: "out" | "err" }
  | Mistake;

/** An unknown command or flag, a missing argument, or a flag's value. */
export interface Mistake {
  why: "command" | "flag" | "argument" | "value" | "other";
  message: string;
}

/** Collects the values of flags in typed order. */
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
