import type { Command, Option } from "commander";
import type { Problem } from "../errors.ts";

/** Counts how often each flag of a command is typed, since commander itself lets the last one win. */
export function countFlags(command: Command, counts: Map<Option, number>): void {
  for (const option of command.options) {
    command.on(`option:${option.name()}`, () => counts.set(option, (counts.get(option) ?? 0) + 1));
  }
}

/** A flag for one value that is given twice, and a flag beside its opposite: neither is ever guessed about. */
export function validateRepeated(counts: ReadonlyMap<Option, number>): Problem[] {
  const typed = [...counts.keys()];
  return typed.flatMap((option) => {
    const where = option.long ?? option.flags;
    const opposite = typed.find((other) => other.negate && other.long === `--no-${option.name()}`);
    return [
      ...((counts.get(option) ?? 0) > 1 && takesOne(option) ? [{ where, rule: "specified twice" }] : []),
      ...(opposite ? [{ where, rule: `cannot be combined with ${opposite.long}` }] : []),
    ];
  });
}

/** Flags for many values gather them by a function; a flag without a value says the same twice. */
function takesOne(option: Option): boolean {
  return option.parseArg === undefined && (option.required || option.optional);
}
