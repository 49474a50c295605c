import { readId } from "../../command-support/ids.ts";
import type { Problems } from "../../command-support/problems.ts";
import { pluginFields } from "../../contract/resources/plugin.ts";
import type { Call, CommandFile } from "../command.ts";
import { defineFieldFlags } from "../flags/field-flags.ts";
import { BODY_FILE, DIFF } from "../flags/options.ts";
import type { CommandSyntax } from "../flags/syntax.ts";
import { pluginArgument } from "./argument.ts";
import { type PluginChange, sendChange } from "./send-change.ts";
import { changeFromFlags, type UpdateFlags } from "./update-flags.ts";
import { pluginView } from "./view.ts";

/** `relayctl plugins update <id>` (facts 8.3). */
export const pluginsUpdate: CommandFile<UpdateFlags, PluginChange> = {
  summary: "Update a plugin's timeout, config, and what its calls return",
  sends: "patch",
  examples: [
    "relayctl plugins update rebalance --plugin-timeout 60s --emit-logs",
    "relayctl plugins update rebalance --config config.json --diff",
    "relayctl plugins update rebalance --no-allow-get-invocation --dry-run",
  ],
  resource: pluginView,
  args: [pluginArgument],
  define,
  prepare,
  run: sendChange,
};

function define(command: CommandSyntax): void {
  const described = command
    .description("Update a plugin. Fields that you do not specify stay as they are.")
    .optionsGroup("Fields")
    .option("--plugin-timeout <time>", "Time limit of a call in whole seconds, e.g. 30s or 5m")
    .option("--config <file>", "Read the whole config, a JSON object, from a file (`-` for stdin)")
    .option("--no-config", "Empty the config");
  defineFieldFlags(described, pluginFields, "update")
    .optionsGroup("Request")
    .option(...BODY_FILE)
    .option(...DIFF);
}

async function prepare(call: Call<UpdateFlags>, problems: Problems): Promise<PluginChange> {
  const id = await readId(call, problems, "id", call.args[0]);
  return { id, body: await changeFromFlags(call, problems) };
}
