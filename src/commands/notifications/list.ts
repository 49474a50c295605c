import type { ListBounds } from "../../client/pagination/list-pages.ts";
import { operations } from "../../contract/operations.ts";
import type { CommandFile } from "../command.ts";
import { defineListFlags, type ListFlags, listBounds } from "../list-flags.ts";
import { listView } from "../list-view.ts";
import { notificationView } from "./view.ts";

/** `relayctl notifications list` (interface 4.4). */
export const notificationsList: CommandFile<ListFlags, ListBounds> = {
  summary: "List the notifications and whether each is signed",
  sends: "read",
  examples: [
    "relayctl notifications list",
    "relayctl notifications list --where '!has_signing_key'",
    "relayctl notifications list -o csv",
  ],
  resource: notificationView,
  paginates: true,
  define(command) {
    defineListFlags(
      command.description("List the notifications with their URLs and whether their deliveries are signed."),
    );
  },
  prepare: async ({ flags }, problems) => listBounds(flags, problems),
  run: (call, bounds) =>
    listView(call, bounds, {
      resource: notificationView,
      request: { operation: operations["notifications.list"] },
      pages: (client) => client.notifications.list(bounds),
    }),
};
