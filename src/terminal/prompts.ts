import type { Secrets } from "../contract/secret-fields.ts";
import type { ColorChoice } from "./capabilities.ts";

/** Prompts on stderr, only at a terminal. Ctrl-C rejects with `interrupted`; texts are escaped here. */
export interface Prompts {
  /** `[y/N]`: true only for a clear yes. */
  confirm(question: string): Promise<boolean>;
  text(question: string, options?: TextOptions): Promise<string>;
  /** Shows nothing of the input, not even its length. */
  hidden(question: string, options?: { validate?: Validate }): Promise<string>;
  select<T>(question: string, choices: readonly Choice<T>[], options?: { default?: T }): Promise<T>;
  /** Selects one of many choices: typing filters the list. */
  search<T>(question: string, choices: readonly Choice<T>[]): Promise<T>;
  /** Selects any number of choices, returned in the order of the list. */
  checkbox<T>(question: string, choices: readonly Choice<T>[]): Promise<T[]>;
}

export interface PromptLook {
  color?: ColorChoice | undefined;
  /** The name of a protected context, which stands out. */
  context?: string | undefined;
}

/** Returns true, or why the input is invalid: the prompt is then repeated. */
export type Validate = (answer: string) => true | string | Promise<true | string>;

interface TextOptions {
  /** The input for an empty line. */
  default?: string;
  validate?: Validate;
  /** Formats the accepted input for the screen, if it must not be shown in full. */
  shown?: (answer: string) => string;
  /** Set if the input agrees to something: like `confirm`, the prompt drops what was typed before the question. */
  isConsent?: true;
}

export interface Choice<T> {
  value: T;
  name: string;
  /** The text shown after the selection (default: the name). */
  short?: string;
  description?: string;
  /** Why a listed choice can't be selected. */
  disabled?: string;
}

/** Masks secrets in questions and choices, but not in the result. */
export function maskedPrompts(prompts: Prompts, { masked }: Pick<Secrets, "masked">): Prompts {
  const shown = <T>(choices: readonly Choice<T>[]): Choice<T>[] =>
    choices.map(({ value, ...words }) => ({ ...masked(words), value }));
  return {
    confirm: (question) => prompts.confirm(masked(question)),
    text: (question, options) => prompts.text(masked(question), options),
    hidden: (question, options) => prompts.hidden(masked(question), options),
    select: (question, choices, options) => prompts.select(masked(question), shown(choices), options),
    search: (question, choices) => prompts.search(masked(question), shown(choices)),
    checkbox: (question, choices) => prompts.checkbox(masked(question), shown(choices)),
  };
}
