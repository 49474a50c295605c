import type { Command, Option } from "commander";
import type { Problem } from "../errors.ts";

/** Counts how often each flag is typed, since in commander the last one wins silently. */
export function countFlags(command: Command, counts: Map<Option, number>): void {
  for (const option of command.options) {
    command.on(`option:${option.name()}`, () => counts.set(option, (counts.get(option) ?? 0) + 1));
  }
}

/** Returns problems with a single-value flag given twice, or a flag next to its opposite: relayctl never guesses. */
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

/**
 * Returns whether a flag takes one value. Flags with many values collect them in a function; repeating a flag without a
 * value is harmless.
 */
function takesOne(option: Option): boolean {
  return option.parseArg === undefined && (option.required || option.optional);
}
