import type { Call } from "../../command-support/call.ts";
import { idProblem } from "../../contract/id.ts";
import type { Plugin } from "../../contract/resources/plugin.ts";
import { listed } from "../../session/listed.ts";
import type { Choice } from "../../terminal/prompts.ts";
import type { Argument } from "../command.ts";
import { choiceRows } from "../flags/choice-rows.ts";

export const pluginArgument: Argument = {
  name: "<id>",
  description: "Plugin ID (`-` reads one line from stdin)",
  noun: "plugin",
  choices: pluginChoices,
  problem: idProblem,
};

async function pluginChoices(call: Call): Promise<readonly Choice<string>[]> {
  const { client } = await call.session();
  const plugins = await listed<Plugin>(client.plugins.list());
  return choiceRows(plugins.map(({ id, path }) => ({ value: id, about: [path] })));
}
