import { pluginView } from "../../views/plugin.ts";
import { createGetCommand } from "../get-command.ts";
import { pluginArgument } from "../resource-arguments.ts";

export const pluginsGet = createGetCommand({
  noun: "plugins",
  summary: "Show plugins",
  description: "Show one plugin and its config.",
  examples: [
    "relayctl plugins get rebalance",
    "relayctl plugins get rebalance -o json",
    "relayctl plugins get rebalance --fields timeout,config",
  ],
  resource: pluginView,
  argument: pluginArgument,
  get: (client, id) => client.plugins.get(id),
});
