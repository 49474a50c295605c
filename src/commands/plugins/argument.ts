import { idProblem } from "../../contract/id.ts";
import type { Argument } from "../command.ts";

/** The argument for a plugin. */
export const pluginArgument: Argument = {
  name: "<id>",
  description: "Plugin ID (`-` reads one line from stdin)",
  noun: "plugin",
  choices: async (call) => (await import("./choices.ts")).pluginChoices(call),
  problem: idProblem,
};
