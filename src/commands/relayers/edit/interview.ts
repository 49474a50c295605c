import type { Choice, Prompts } from "../../../terminal/prompts.ts";
import type { Draft } from "./draft.ts";
import type { Part } from "./part.ts";

/** A person who answers. */
export interface Interview {
  prompts: Prompts;
  /** Tells a line between two questions. */
  say(line: string): Promise<void>;
  /** Asks about parts, one after the other. */
  ask(draft: Draft, parts: readonly Part[]): Promise<Draft>;
  /** The notifications that exist, by id. */
  notifications: readonly Choice<string>[];
}

/** More than these are searched, and not all of them shown. */
export const FEW = 10;

/** One of a list of any length. */
export function choose<T>({ select, search }: Prompts, question: string, choices: readonly Choice<T>[]): Promise<T> {
  return choices.length > FEW ? search(question, choices) : select(question, choices);
}
