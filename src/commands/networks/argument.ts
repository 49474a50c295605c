import { idProblem } from "../../contract/id.ts";
import type { Argument } from "../command.ts";

export const networkArgument: Argument = {
  name: "<id>",
  description: "Network type and name, e.g. evm:sepolia (`-` reads one line from stdin)",
  noun: "network",
  choices: async (call) => (await import("./choices.ts")).networkChoices(call),
  problem: idProblem,
};
