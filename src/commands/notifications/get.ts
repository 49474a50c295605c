import { notificationView } from "../../views/notification.ts";
import { createGetCommand } from "../get-command.ts";
import { notificationArgument } from "../resource-arguments.ts";

export const notificationsGet = createGetCommand({
  noun: "notifications",
  summary: "Show notifications",
  description: "Show one notification.",
  examples: [
    "relayctl notifications get ops-hook",
    "relayctl notifications get ops-hook -o json",
    "relayctl notifications get ops-hook --fields url",
  ],
  resource: notificationView,
  argument: notificationArgument,
  get: (client, id) => client.notifications.get(id),
});
