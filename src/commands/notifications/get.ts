import { operations } from "../../contract/operations.ts";
import type { View } from "../../terminal/view.ts";
import type { Call, CommandFile } from "../command.ts";
import { getView } from "../get-view.ts";
import { notificationView } from "./view.ts";

/** `relayctl notifications get <id>`: by the service's own route, else from the list. */
export const notificationsGet: CommandFile = {
  summary: "show one notification",
  examples: [
    "relayctl notifications get ops-hook",
    "relayctl notifications get ops-hook -o json",
    "relayctl notifications get ops-hook --fields url",
  ],
  resource: notificationView,
  define(command) {
    command.description("Show one notification.").argument("<id>", "the notification's id, or - for one line of stdin");
  },
  run: (call: Call): Promise<View> =>
    getView(call, notificationView, operations["notifications.get"], "notification_id", (client, id) => client.notifications.get(id)),
};
