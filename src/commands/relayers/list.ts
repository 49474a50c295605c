import type { ListBounds } from "../../client/pagination/list-pages.ts";
import { operations } from "../../contract/operations.ts";
import type { CommandFile } from "../command.ts";
import { defineListFlags, type ListFlags, listBounds } from "../list-flags.ts";
import { listView } from "../list-view.ts";
import { relayerView } from "./view.ts";

/** `relayctl relayers list` (interface 4.1). */
export const relayersList: CommandFile<ListFlags, ListBounds> = {
  summary: "List the relayers and the state of each",
  sends: "read",
  examples: [
    "relayctl relayers list",
    "relayctl relayers list --where system_disabled --fields id,disabled_reason.type",
    "relayctl relayers list -o json --query '[?paused].id'",
  ],
  resource: relayerView,
  paginates: true,
  define(command) {
    defineListFlags(
      command.description("List the relayers with their networks, states, notifications, and addresses."),
    );
  },
  prepare: async ({ flags }, problems) => listBounds(flags, problems),
  run: (call, bounds) =>
    listView(call, bounds, {
      resource: relayerView,
      request: { operation: operations["relayers.list"] },
      pages: (client) => client.relayers.list(bounds),
    }),
};
