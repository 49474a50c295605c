import { operations } from "../../contract/operations.ts";
import type { View } from "../../terminal/view.ts";
import type { Call, CommandFile } from "../command.ts";
import { defineListFlags, type ListFlags } from "../list-flags.ts";
import { listView } from "../list-view.ts";
import { notificationView } from "./view.ts";

/** `relayctl notifications list`: interface.md, List notifications. */
export const notificationsList: CommandFile<ListFlags> = {
  summary: "list the webhook targets and whether each is signed",
  examples: [
    "relayctl notifications list",
    "relayctl notifications list --where '!has_signing_key'",
    "relayctl notifications list -o csv",
  ],
  resource: notificationView,
  define(command) {
    defineListFlags(command.description("List every notification: its URL and whether its deliveries are signed."));
  },
  run: (call: Call<ListFlags>): Promise<View> =>
    listView(call, notificationView, operations["notifications.list"], (client, bounds) => client.notifications.list(bounds)),
};
