import type { Command, Option } from "commander";
import type { Row, Section } from "./block.ts";

/** Returns the flags of a command by group heading; a flag and its opposite share a row. */
export function flagSections({ options }: Command): Section[] {
  const groups = new Map<string, Row[]>();
  for (const option of options) {
    if (options.some((other) => isOpposite(option, other))) continue;
    const heading = option.helpGroupHeading ?? "Flags";
    const opposite = options.find((other) => isOpposite(other, option));
    groups.set(heading, [...(groups.get(heading) ?? []), rowOf(option, opposite)]);
  }
  return [...groups].map(([heading, rows]) => ({ heading, rows }));
}

/**
 * Returns whether a flag is the opposite of another: `--no-paused` of `--paused`, and also `--no-rpc-urls` of
 * `--rpc-url`: one sends an empty list, the other adds an entry.
 */
function isOpposite(negated: Option, option: Option): boolean {
  return [`no-${option.name()}`, `no-${option.name()}s`].includes(negated.name());
}

function rowOf(option: Option, opposite: Option | undefined): Row {
  const { short, long, required, optional } = option;
  const takesValue = required || optional;
  const names = [short, long, takesValue ? undefined : opposite?.long].filter((name) => name !== undefined);
  const text = textOf(option);
  const after = opposite ? `; ${opposite.long}: ${uncapitalized(opposite.description)}` : "";
  return { term: names.join(", ") + placeholderOf(option), text: text + after };
}

/** Inserts the allowed values after the first words of the text: the flag declares the values, so no text repeats them. */
function textOf({ argChoices, description }: Option): string {
  if (!argChoices) return description;
  const choices = argChoices.join(", ");
  return description.replace(/ \(|[,;] |$/, (next) => (next === " (" ? ` (${choices}; ` : ` (${choices})${next}`));
}

function uncapitalized(text: string): string {
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
}

/** Returns ` FILE` for `<file>`. */
function placeholderOf({ flags }: Option): string {
  const name = /[<[](.+)[>\]]$/.exec(flags)?.[1];
  return name === undefined ? "" : ` ${name.toUpperCase()}`;
}
