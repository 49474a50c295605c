import type { Call } from "../../command-support/call.ts";
import { labelName, labelProblem, labelsOf } from "../../config/labels.ts";
import { RelayctlError } from "../../errors.ts";
import type { Choice } from "../../terminal/prompts.ts";
import type { Argument } from "../command.ts";
import { choiceRows } from "../flags/choice-rows.ts";

export const newLabelArgument: Argument = {
  name: "<label>",
  description: "Label, with or without @",
  problem: (answer) => labelProblem(labelName(answer)),
};

export const labelsArgument: Argument = {
  ...newLabelArgument,
  name: "<labels...>",
  noun: "label",
  description: "Labels, with or without @",
  choices: labelChoices,
};

async function labelChoices({ app }: Call): Promise<readonly Choice<string>[]> {
  const labels = labelsOf(await app.config.read());
  if (labels.length === 0)
    throw new RelayctlError("not_found", "there are no labels yet", { hint: "relayctl label set --help" });
  return choiceRows(labels.map(({ name, kind, address }) => ({ value: name, about: [kind, address] })));
}
