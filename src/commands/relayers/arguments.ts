import { idProblem } from "../../contract/id.ts";
import { CHOOSING } from "../bulk/flags.ts";
import type { Argument } from "../command.ts";

/** The argument for a relayer. */
export const relayerArgument: Argument = {
  name: "<id>",
  description: "Relayer ID (`-` reads one line from stdin)",
  noun: "relayer",
  choices: async (call) => (await import("./choices.ts")).relayerChoices(call),
  problem: idProblem,
};

/** The argument for one or more relayers. */
export const relayersArgument: Argument = {
  ...relayerArgument,
  name: "<ids...>",
  description: "Relayer IDs (`-` reads IDs from stdin, one per line)",
  unless: CHOOSING,
};
