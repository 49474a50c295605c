import type { Command } from "commander";
import { readId } from "../../flow/ids.ts";
import type { Problems } from "../../flow/problems.ts";
import type { Call, CommandFile } from "../command.ts";
import { DIFF } from "../diff-flag.ts";
import { pluginOperand } from "./operand.ts";
import { type PluginChange, sendChange } from "./send-change.ts";
import { changeFromFlags, type UpdateFlags } from "./update-flags.ts";
import { pluginView } from "./view.ts";

/** `relayctl plugins update <id>`: service-facts 8.3. */
export const pluginsUpdate: CommandFile<UpdateFlags, PluginChange> = {
  summary: "change a plugin's timeout, config, and what it gives away",
  sends: "patch",
  examples: [
    "relayctl plugins update rebalance --plugin-timeout 60s --emit-logs",
    "relayctl plugins update rebalance --config config.json --diff",
    "relayctl plugins update rebalance --no-allow-get-invocation --dry-run",
  ],
  resource: pluginView,
  operands: [pluginOperand],
  define,
  prepare,
  run: sendChange,
};

function define(command: Command): void {
  command
    .description("Change a plugin. What is not named stays as it is.")
    .optionsGroup("Fields")
    .option("--plugin-timeout <time>", "how long a call may take, in whole seconds: 30s, 5m")
    .option("--config <file>", "the whole config as a JSON object; - reads stdin")
    .option("--no-config", "empties it")
    .option("--emit-logs", "calls answer with the plugin's logs")
    .option("--no-emit-logs", "they do not")
    .option("--emit-traces", "calls answer with its traces")
    .option("--no-emit-traces", "they do not")
    .option("--raw-response", "calls answer with its value alone, without an envelope")
    .option("--no-raw-response", "they answer with the envelope")
    .option("--allow-get-invocation", "it may be called with GET")
    .option("--no-allow-get-invocation", "with POST alone")
    .option("--forward-logs", "its logs go to the service's log too")
    .option("--no-forward-logs", "they do not")
    .optionsGroup("Request")
    .option("-f, --file <file>", "the whole body as JSON, which flags override; - reads stdin")
    .option(...DIFF);
}

async function prepare(call: Call<UpdateFlags>, problems: Problems): Promise<PluginChange> {
  const id = await readId(call, problems, "id", call.operands[0]);
  return { id, body: await changeFromFlags(call, problems) };
}
