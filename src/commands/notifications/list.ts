import { notificationView } from "../../views/notification.ts";
import { createListCommand } from "../list-command.ts";

export const notificationsList = createListCommand({
  noun: "notifications",
  summary: "List the notifications and whether each is signed",
  description: "List the notifications with their URLs and whether their deliveries are signed.",
  examples: [
    "relayctl notifications list",
    "relayctl notifications list --where '!has_signing_key'",
    "relayctl notifications list -o csv",
  ],
  resource: notificationView,
});
