import type { ListBounds } from "../../client/pagination/list-pages.ts";
import { operations } from "../../contract/operations.ts";
import type { CommandFile } from "../command.ts";
import { defineListFlags, type ListFlags, listBounds } from "../list-flags.ts";
import { listView } from "../list-view.ts";
import { pluginView } from "./view.ts";

/** `relayctl plugins list` (facts 8.3). */
export const pluginsList: CommandFile<ListFlags, ListBounds> = {
  summary: "List the plugins that can be called",
  sends: "read",
  examples: [
    "relayctl plugins list",
    "relayctl plugins list --where allow_get_invocation",
    "relayctl plugins list -o name",
  ],
  resource: pluginView,
  paginates: true,
  define(command) {
    defineListFlags(
      command.description(
        "List the plugins with their timeouts, and whether each can be called with GET and returns its logs.",
      ),
    );
  },
  prepare: async ({ flags }, problems) => listBounds(flags, problems),
  run: (call, bounds) =>
    listView(call, bounds, {
      resource: pluginView,
      request: { operation: operations["plugins.list"] },
      pages: (client) => client.plugins.list(bounds),
    }),
};
