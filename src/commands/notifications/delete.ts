import { readId } from "../../command-support/ids.ts";
import { performRemoval } from "../../command-support/perform-removal.ts";
import type { Session } from "../../command-support/session/session.ts";
import { commandLine } from "../../command-support/shell-words.ts";
import { operations } from "../../contract/operations.ts";
import type { CommandFile } from "../command.ts";
import { refuseWhileUsed } from "../flags/relayers-using.ts";
import { notificationArgument } from "./argument.ts";

/** `relayctl notifications delete <id>` (facts 6). */
export const notificationsDelete: CommandFile<object, string> = {
  summary: "Delete a notification that no relayer uses",
  sends: "remove",
  ends: { conflict: "in use by a relayer" },
  examples: [
    "relayctl notifications delete audit-log --yes",
    "relayctl notifications delete audit-log --yes -o name",
    "relayctl notifications delete audit-log --dry-run",
  ],
  args: [notificationArgument],
  define(command) {
    command.description(
      "Delete a notification. If relayers use the notification, nothing is deleted and those relayers are listed.",
    );
  },
  prepare: (call, problems) => readId(call, problems, "id", call.args[0]),
  run: (call, id) =>
    performRemoval(call, {
      request: { operation: operations["notifications.delete"], parameters: { notification_id: id } },
      what: "notification",
      id,
      readFirst: (session) => isUnused(session, id),
      send: (client) => client.notifications.delete(id),
      readAgain: (session) => commandLine(...session.flags, "notifications", "get", id),
    }),
};

async function isUnused({ client, flags }: Session, id: string): Promise<readonly string[]> {
  await refuseWhileUsed(client, {
    field: "notification_id",
    id,
    use: `report to notification ${id}`,
    hint: (relayer) => commandLine(...flags, "relayers", "update", relayer, "--no-notification-id"),
  });
  return ["no relayer reports to it"];
}
