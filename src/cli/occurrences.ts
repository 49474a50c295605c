import type { Command, Option } from "commander";
import { type Problem, usageError } from "../errors.ts";

/** Counts how often each flag of a command is typed, since commander itself lets the last one win. */
export function countFlags(command: Command, counts: Map<Option, number>): void {
  for (const option of command.options) {
    command.on(`option:${option.name()}`, () => counts.set(option, (counts.get(option) ?? 0) + 1));
  }
}

/** A flag for one value that is given twice, and a flag beside its opposite: neither is ever guessed about. */
export function refuseRepeated(counts: ReadonlyMap<Option, number>): void {
  const problems: Problem[] = [];
  for (const [option, count] of counts) {
    if (count > 1 && !isRepeatable(option)) problems.push({ where: flagOf(option), rule: "is given twice" });
    const opposite = [...counts.keys()].find((other) => other.negate && other.long === `--no-${option.name()}`);
    if (opposite) problems.push({ where: flagOf(option), rule: `cannot be given together with ${flagOf(opposite)}` });
  }
  if (problems.length > 0) throw usageError(problems);
}

function isRepeatable(option: Option): boolean {
  return option.parseArg !== undefined || (!option.required && !option.optional);
}

function flagOf(option: Option): string {
  return option.long ?? option.flags;
}
