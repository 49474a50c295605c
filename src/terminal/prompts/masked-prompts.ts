import type { Secrets } from "../../contract/secret-fields.ts";
import type { Choice, Prompts } from "../prompts.ts";

/** Returns prompts whose questions and choices show no secret; what is chosen stays as it is. */
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
