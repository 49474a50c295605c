import type { Client } from "../../client/client.ts";
import { operations } from "../../contract/operations.ts";
import { RelayctlError } from "../../errors.ts";
import { readId } from "../../flow/ids.ts";
import { performRemoval } from "../../flow/perform-removal.ts";
import { commandLine } from "../../flow/shell-words.ts";
import type { CommandFile } from "../command.ts";
import { notificationOperand } from "./operand.ts";

/** `relayctl notifications delete <id>`: service-facts 6. */
export const notificationsDelete: CommandFile<object, string> = {
  summary: "delete a notification that no relayer reports to",
  sends: "remove",
  ends: { conflict: "a relayer reports to it" },
  examples: [
    "relayctl notifications delete audit-log --yes",
    "relayctl notifications delete audit-log --yes -o name",
    "relayctl notifications delete audit-log --dry-run",
  ],
  operands: [notificationOperand],
  define(command) {
    command.description("Delete a notification. While relayers report to it nothing is deleted, and they are named.");
  },
  prepare: (call, problems) => readId(call, problems, "id", call.operands[0]),
  run: (call, id) =>
    performRemoval(call, {
      ask: { operation: operations["notifications.delete"], parameters: { notification_id: id } },
      what: "notification",
      id,
      look: (client) => refuseWhileUsed(client, id),
      send: (client) => client.notifications.delete(id),
      lookAgain: (session) => commandLine(...session.flags, "notifications", "get", id),
    }),
};

/** The service would refuse as well, and name the relayers by their names alone (service-facts 6). */
async function refuseWhileUsed(client: Client, id: string): Promise<readonly string[]> {
  const users: string[] = [];
  for await (const page of client.relayers.list()) {
    users.push(...page.items.filter((relayer) => relayer.notification_id === id).map((relayer) => String(relayer.id)));
  }
  if (users.length === 0) return ["no relayer reports to it"];
  throw new RelayctlError("conflict", `relayers report to notification ${id}: ${users.join(", ")}`, {
    because: ["nothing was sent: the service deletes none that is used"],
    hint: commandLine("relayers", "update", users[0] ?? "", "--no-notification-id"),
  });
}
