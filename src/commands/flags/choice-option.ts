import { Option } from "commander";

/**
 * Adds a flag for one of a few words. They are stored in the tree for help and completion; `cli/choices` validates the
 * input, since commander itself would stop at the first mistake.
 */
export function choiceOption(flags: string, description: string, words: readonly string[]): Option {
  const option = new Option(flags, description);
  option.argChoices = [...words];
  return option;
}
