import { readId } from "../../command-support/ids.ts";
import { runWrite } from "../../command-support/prepared-write.ts";
import { bodyFileSources, readBodyFile } from "../../command-support/request-body/body-file.ts";
import { parseDuration } from "../../config/duration.ts";
import { RuleError } from "../../config/sourced.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Problems } from "../../contract/problems.ts";
import { validateBody } from "../../contract/requests/body-problems.ts";
import { updatePluginSchema } from "../../contract/requests.ts";
import { pluginFields } from "../../contract/resources/plugin.ts";
import { readInputObject } from "../../session/input-file.ts";
import { pluginView } from "../../views/plugin.ts";
import { BODY_FILE, type Call, createCommand, DIFF } from "../command.ts";
import { defineFieldFlags, fieldsFromFlags } from "../flags/field-flags.ts";
import { pluginArgument } from "../resource-arguments.ts";
import { pluginChange } from "./send-change.ts";

/** `--timeout` is already the time limit of one attempt. */
const FLAG = "--plugin-timeout";

function parseSeconds(typed: string | undefined, problems: Problems): bigint | undefined {
  if (typed === undefined) return undefined;
  try {
    const milliseconds = parseDuration(typed, { zero: true });
    if (milliseconds % 1000 === 0) return BigInt(milliseconds / 1000);
    problems.add(FLAG, "must be in whole seconds", typed);
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    problems.add(FLAG, error.message, typed);
  }
  return undefined;
}

/** Returns the config. The service ignores null (facts 8.3): an empty object empties the config. */
async function readConfig({ app }: Pick<Call, "app">, config: string | false | undefined, problems: Problems) {
  if (config === undefined) return undefined;
  return config === false ? {} : await problems.gather(() => readInputObject(app, config));
}

export const pluginsUpdate = createCommand({
  summary: "Update a plugin's timeout, config, and what its calls return",
  sends: "patch",
  examples: [
    "relayctl plugins update rebalance --plugin-timeout 60s --emit-logs",
    "relayctl plugins update rebalance --config config.json --diff",
    "relayctl plugins update rebalance --no-allow-get-invocation --dry-run",
  ],
  resource: pluginView,
  args: [pluginArgument],
  description: "Update a plugin. Fields that you do not specify stay as they are.",
  define: (command) =>
    command
      .optionsGroup("Fields")
      .option("--plugin-timeout <time>", "Time limit of a call in whole seconds, e.g. 30s or 5m")
      .option("--config <file>", "Read the whole config, a JSON object, from a file (`-` for stdin)")
      .option("--no-config", "Empty the config")
      .include((flags) => defineFieldFlags(flags, pluginFields, "update"))
      .optionsGroup("Request")
      .option(...BODY_FILE)
      .option(...DIFF),
  async prepare(call, problems) {
    const id = await readId(call, problems, "id", call.args[0]);
    const { flags } = call;
    const file = await readBodyFile(call.app, flags.file);
    const timeout = parseSeconds(flags.pluginTimeout, problems);
    const config = await readConfig(call, flags.config, problems);
    const typed: JsonObject = {
      ...(timeout !== undefined && { timeout }),
      ...fieldsFromFlags(problems, pluginFields, "update", flags),
      ...(config && { config }),
    };
    const body: JsonObject = { ...file.fields, ...typed };
    const sourceOf = bodyFileSources(typed, file);
    validateBody(problems, updatePluginSchema, body, (path) =>
      path === "timeout" && timeout !== undefined ? FLAG : sourceOf(path),
    );
    const isEmpty = Object.keys(body).length === 0 && problems.found.length === 0;
    if (isEmpty) problems.add("plugins update", "nothing to change; specify a field");
    return { id, body };
  },
  run: async (call, change) => await runWrite(call, pluginChange(call, change)),
});
