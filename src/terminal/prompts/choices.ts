import type { Choice } from "../prompts.ts";
import { cut } from "../text/cut.ts";
import { textWidth, widthUpTo } from "../width.ts";
import { wrapped } from "../wrap.ts";

/** Returns a choice with escaped texts and its value. @param columns of the terminal @param lead before a name */
export function shownChoice<T>(
  { value, name, short, description, disabled }: Choice<T>,
  columns = Number.POSITIVE_INFINITY,
  lead = 0,
) {
  return {
    value,
    name: inLines(shown(name), columns, lead),
    short: shown(short ?? name),
    ...(description !== undefined && { description: inLines(shown(description), columns, DESCRIPTION) }),
    ...(disabled !== undefined && { disabled: `(${shown(disabled)})` }),
  };
}

export function narrowed<T>(choices: readonly Choice<T>[], typed: string): Choice<T>[] {
  const words = typed.toLowerCase().split(/\s+/);
  return choices.filter(({ name, description = "" }) => {
    const text = `${name}\n${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

const DESCRIPTION = 2;
/** The first column of a row, and the spaces after it. */
const FIRST = /^\S+(?: \S+)* {2,}/;

/**
 * Returns a text that is wrapped between words: a prompt would break it within an ID. A row hangs below its second
 * column, or below its first if a word of the second needs the room.
 */
export function inLines(text: string, columns: number, lead: number): string {
  if (widthUpTo(text, columns - lead + 1) <= columns - lead) return text;
  const [first = ""] = FIRST.exec(text) ?? [];
  const below = wrapped(text.slice(first.length), columns - lead - textWidth(first));
  const fits = below.every((line) => textWidth(line) <= columns - lead - textWidth(first));
  if (first !== "" && textWidth(first) <= columns / 2 && fits)
    return first + below.join(`\n${" ".repeat(lead + textWidth(first))}`);
  return wrapped(text, columns - lead).join(`\n${" ".repeat(lead)}`);
}

/** More than a full screen. Every keystroke redraws and wraps the question. */
const LONGEST = 1000;

/** Returns a text for a prompt: escaped, and cut if it is longer than a screen. */
export function shown(text: string): string {
  return cut(text, LONGEST);
}
