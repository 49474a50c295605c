import { idProblem } from "../contract/id.ts";
import { CHOOSING } from "./bulk/flags.ts";
import type { Argument } from "./command.ts";

export const relayerArgument: Argument = {
  name: "<id>",
  description: "Relayer ID (`-` reads one line from stdin)",
  noun: "relayer",
  choices: async (call) => (await import("./relayers/choices.ts")).relayerChoices(call),
  problem: idProblem,
};

export const relayersArgument: Argument = {
  ...relayerArgument,
  name: "<ids...>",
  description: "Relayer IDs (`-` reads IDs from stdin, one per line)",
  unless: CHOOSING,
};
