import type { Choice } from "../prompts.ts";
import { cut } from "../text/cut.ts";

/** Returns a choice with escaped texts. Its value stays unchanged. */
export function shownChoice<T>({ value, name, short, description, disabled }: Choice<T>) {
  return {
    value,
    name: shown(name),
    short: shown(short ?? name),
    ...(description !== undefined && { description: shown(description) }),
    ...(disabled !== undefined && { disabled: `(${shown(disabled)})` }),
  };
}

/** Returns the choices whose name or description contains every typed word, ignoring case. */
export function narrowed<T>(choices: readonly Choice<T>[], typed: string): Choice<T>[] {
  const words = typed.toLowerCase().split(/\s+/);
  return choices.filter(({ name, description = "" }) => {
    const text = `${name}\n${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** More than a full screen. Every keystroke redraws and wraps the question. */
const LONGEST = 1000;

/** Returns a text for a prompt: escaped, and cut if it is longer than a screen. */
export function shown(text: string): string {
  return cut(text, LONGEST);
}
