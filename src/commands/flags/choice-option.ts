import { Option } from "commander";

/**
 * A flag for one of a few words. They stand in the tree, where help and completion find them; `cli/choices` judges what
 * is typed, since commander itself would stop at the first mistake.
 */
export function choiceOption(flags: string, description: string, words: readonly string[]): Option {
  const option = new Option(flags, description);
  option.argChoices = [...words];
  return option;
}
