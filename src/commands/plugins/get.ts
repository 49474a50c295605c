import { readId } from "../../command-support/ids.ts";
import { operations } from "../../contract/operations.ts";
import type { Plugin } from "../../contract/resources/plugin.ts";
import type { CommandFile } from "../command.ts";
import { getView } from "../get-view.ts";
import { pluginArgument } from "./argument.ts";
import { pluginView } from "./view.ts";

/** `relayctl plugins get <id>` (facts 8.3); from the list if a service before v1.4 lacks the route. */
export const pluginsGet: CommandFile<object, string> = {
  summary: "Show one plugin",
  sends: "read",
  examples: [
    "relayctl plugins get rebalance",
    "relayctl plugins get rebalance -o json",
    "relayctl plugins get rebalance --fields timeout,config",
  ],
  resource: pluginView,
  args: [pluginArgument],
  define(command) {
    command.description("Show one plugin and its config.");
  },
  prepare: (call, problems) => readId(call, problems, "id", call.args[0]),
  run: (call, id) =>
    getView<Plugin>(call, {
      resource: pluginView,
      request: { operation: operations["plugins.get"], parameters: { plugin_id: id } },
      get: (client) => client.plugins.get(id),
    }),
};
