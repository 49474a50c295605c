import type { Plugin } from "../../contract/plugin.ts";
import type { Call } from "../../flow/call.ts";
import type { Choice } from "../../terminal/prompts.ts";
import { choiceRows } from "../choice-rows.ts";
import { listed } from "../listed.ts";

/** Every plugin, with where its code is. */
export async function pluginChoices(call: Call): Promise<readonly Choice<string>[]> {
  const { client } = await call.session();
  const plugins = await listed<Plugin>(client.plugins.list());
  return choiceRows(plugins.map(({ id, path }) => ({ value: id, about: [path] })));
}
