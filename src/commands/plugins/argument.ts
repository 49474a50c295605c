import { idProblem } from "../../contract/id.ts";
import type { Argument } from "../command.ts";

export const pluginArgument: Argument = {
  name: "<id>",
  description: "Plugin ID (`-` reads one line from stdin)",
  noun: "plugin",
  choices: async (call) => (await import("./choices.ts")).pluginChoices(call),
  problem: idProblem,
};
