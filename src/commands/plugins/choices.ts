import type { Call } from "../../command-support/call.ts";
import type { Plugin } from "../../contract/resources/plugin.ts";
import { listed } from "../../session/listed.ts";
import type { Choice } from "../../terminal/prompts.ts";
import { choiceRows } from "../flags/choice-rows.ts";

/** Returns every plugin, with the path of its code. */
export async function pluginChoices(call: Call): Promise<readonly Choice<string>[]> {
  const { client } = await call.session();
  const plugins = await listed<Plugin>(client.plugins.list());
  return choiceRows(plugins.map(({ id, path }) => ({ value: id, about: [path] })));
}
