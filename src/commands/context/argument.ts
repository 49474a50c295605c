import type { Call } from "../../command-support/call.ts";
import { shownOrigin } from "../../config/connection/origin.ts";
import { contextNameProblem } from "../../config/contexts.ts";
import { RelayctlError } from "../../errors.ts";
import type { Choice } from "../../terminal/prompts.ts";
import type { Argument } from "../command.ts";
import { resourceChoices } from "../resource-arguments.ts";

export const newContextArgument: Argument = {
  name: "<name>",
  description: "Context name",
  noun: "context",
  problem: contextNameProblem,
};

export const contextArgument: Argument = {
  ...newContextArgument,
  choices: contextChoices,
};

async function contextChoices({ app }: Call): Promise<readonly Choice<string>[]> {
  const { contexts, current } = await app.config.read();
  const names = Object.keys(contexts).sort();
  if (names.length === 0)
    throw new RelayctlError("not_found", "there are no contexts yet", { hint: "relayctl auth login" });
  return resourceChoices(
    names.map((name) => ({
      value: name,
      about: [
        shownOrigin(contexts[name]?.server ?? ""),
        contexts[name]?.protected ? "protected" : "",
        name === current ? "current" : "",
      ],
    })),
  );
}
