import type { ListBounds } from "../../client/pagination/list-pages.ts";
import { operations } from "../../contract/operations.ts";
import type { CommandFile } from "../command.ts";
import { defineListFlags, type ListFlags, listBounds } from "../list-flags.ts";
import { listView } from "../list-view.ts";
import { networkView } from "./view.ts";

/** `relayctl networks list` (facts 8.2). */
export const networksList: CommandFile<ListFlags, ListBounds> = {
  summary: "List the networks that the service is configured with",
  sends: "read",
  examples: [
    "relayctl networks list",
    "relayctl networks list --where network_type=evm --where is_testnet",
    "relayctl networks list -o csv --fields id,chain_id",
  ],
  resource: networkView,
  paginates: true,
  define(command) {
    defineListFlags(command.description("List the networks. RPC URLs are shown without path, query, and user info."));
  },
  prepare: async ({ flags }, problems) => listBounds(flags, problems),
  run: (call, bounds) =>
    listView(call, bounds, {
      resource: networkView,
      request: { operation: operations["networks.list"] },
      pages: (client) => client.networks.list(bounds),
    }),
};
