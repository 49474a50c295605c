import type { JsonObject } from "../../contract/json.ts";
import type { CreateNotificationRequest, Notification } from "../../contract/notification.ts";
import { operations } from "../../contract/operations.ts";
import { RelayctlError } from "../../errors.ts";
import { perform } from "../../flow/perform.ts";
import { commandLine } from "../../flow/shell-words.ts";
import type { View } from "../../terminal/view.ts";
import type { Call } from "../command.ts";
import { notificationView } from "./view.ts";

/** Creates a notification. Without an id of the user's own the client makes one, and so does a request that is only shown. */
export async function sendCreation(call: Call, body: JsonObject): Promise<View> {
  const id = typeof body.id === "string" ? body.id : undefined;
  return await perform<Notification>(call, {
    ask: { operation: operations["notifications.create"], body: { ...body, id: id ?? call.app.random.uuid() } },
    title: `create notification ${id ?? ""}`.trim(),
    act: "creating a notification",
    id: id ?? "",
    resource: notificationView,
    before: async () => void (id !== undefined && (await refuseTaken(call, id))),
    send: (client) => client.notifications.create(body as unknown as CreateNotificationRequest),
    receipt: (after, _, session) => ({ applied: `created in ${session.name}: ${after.id}` }),
    lookAgain: (session) => commandLine(...session.flags, "notifications", ...(id ? ["get", id] : ["list"])),
  });
}

/** The real service answers 500 for an id in use (service-facts 6), which says nothing; so it is looked up first. */
export async function refuseTaken(call: Call, id: string): Promise<void> {
  const { client, flags } = await call.session();
  try {
    await client.notifications.get(id);
  } catch (error) {
    if (error instanceof RelayctlError && error.failure === "not_found") return;
    throw error;
  }
  throw new RelayctlError("conflict", `a notification with the id ${id} exists already`, {
    because: ["nothing was sent"],
    hint: commandLine(...flags, "notifications", "get", id),
  });
}
