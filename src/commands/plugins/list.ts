import { pluginView } from "../../views/plugin.ts";
import { createListCommand } from "../list-command.ts";

export const pluginsList = createListCommand({
  noun: "plugins",
  summary: "List the plugins that can be called",
  description: "List the plugins with their timeouts, and whether each can be called with GET and returns its logs.",
  examples: [
    "relayctl plugins list",
    "relayctl plugins list --where allow_get_invocation",
    "relayctl plugins list -o name",
  ],
  resource: pluginView,
});
