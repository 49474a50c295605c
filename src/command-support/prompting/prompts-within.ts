import type { Prompts } from "../../terminal/prompts.ts";

/** Returns the same prompts, each inside a wrapper, e.g. a paused clock. */
export function promptsWithin(prompts: Prompts, within: <T>(ask: () => Promise<T>) => Promise<T>): Prompts {
  return {
    confirm: (question) => within(() => prompts.confirm(question)),
    text: (question, options) => within(() => prompts.text(question, options)),
    hidden: (question, options) => within(() => prompts.hidden(question, options)),
    select: (question, choices, options) => within(() => prompts.select(question, choices, options)),
    search: (question, choices) => within(() => prompts.search(question, choices)),
    checkbox: (question, choices) => within(() => prompts.checkbox(question, choices)),
  };
}
