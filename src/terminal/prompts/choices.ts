import type { Choice } from "../prompts.ts";
import { shown } from "./shown.ts";

/** A choice whose texts cannot act on a terminal. Its value is left as it is. */
export function shownChoice<T>({ value, name, short, description, disabled }: Choice<T>) {
  return {
    value,
    name: shown(name),
    short: shown(short ?? name),
    ...(description !== undefined && { description: shown(description) }),
    ...(disabled !== undefined && { disabled: `(${shown(disabled)})` }),
  };
}

/** The choices in which every word that was typed occurs, in the name or the description, without regard to case. */
export function narrowed<T>(choices: readonly Choice<T>[], typed: string): Choice<T>[] {
  const words = typed.toLowerCase().split(/\s+/);
  return choices.filter(({ name, description = "" }) => {
    const text = `${name}\n${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
