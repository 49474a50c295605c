import { commandLine } from "../../shell/shell-words.ts";
import { createDeleteCommand, refuseDeleteWhileUsed } from "../delete-command.ts";
import { notificationArgument } from "../resource-arguments.ts";

export const notificationsDelete = createDeleteCommand({
  noun: "notifications",
  summary: "Delete a notification that no relayer uses",
  description:
    "Delete a notification. If relayers use the notification, nothing is deleted and those relayers are listed.",
  examples: [
    "relayctl notifications delete audit-log --yes",
    "relayctl notifications delete audit-log --yes -o name",
    "relayctl notifications delete audit-log --dry-run",
  ],
  argument: notificationArgument,
  conflict: "in use by a relayer",
  readFirst: ({ client, flags }, id) =>
    refuseDeleteWhileUsed(client, {
      field: "notification_id",
      id,
      use: `report to notification ${id}`,
      unused: "no relayer reports to it",
      hint: (relayer) => commandLine(...flags, "relayers", "update", relayer, "--no-notification-id"),
    }),
});
