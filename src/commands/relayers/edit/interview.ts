import type { Choice, Prompts } from "../../../terminal/prompts.ts";
import type { Draft } from "./draft.ts";
import type { Part } from "./part.ts";

/** The prompts of an interview. */
export interface Interview {
  prompts: Prompts;
  /** Prints a line between two prompts. */
  say(line: string): Promise<void>;
  /** Prompts for parts in order. */
  ask(draft: Draft, parts: readonly Part[]): Promise<Draft>;
  /** The existing notifications, by ID. */
  notifications: readonly Choice<string>[];
}

/** Longer lists are searched instead of shown in full. */
export const FEW = 10;

/** Selects from a list of any length. */
export function choose<T>({ select, search }: Prompts, question: string, choices: readonly Choice<T>[]): Promise<T> {
  return choices.length > FEW ? search(question, choices) : select(question, choices);
}
