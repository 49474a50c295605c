import type { JsonObject } from "../../contract/json.ts";
import type { Handler } from "../handler.ts";
import { listReply } from "../paging.ts";
import { notificationUnknown, stillUsed } from "../refusal.ts";

/** Lists notifications (interface 4.4). */
export const listNotifications: Handler = async ({ query, store }) =>
  store.read(({ notifications }) => listReply(notifications, query, withoutKey));

/** Reads a notification. Not in the interface; facts 6. */
export const getNotification: Handler = async ({ ids: [id = ""], store }) =>
  store.read(({ notifications }) => {
    const notification = notifications.get(id);
    if (!notification) throw notificationUnknown(id);
    return { data: withoutKey(notification) };
  });

/** Returns a notification without its key, which is never returned (interface 2.5); a removed key is empty. */
export function withoutKey({ id, type = "webhook", url = "", signing_key }: JsonObject): JsonObject {
  return { id: id ?? "", type, url, has_signing_key: typeof signing_key === "string" && signing_key !== "" };
}

/** Deletes a notification, unless relayers use it; the message lists them by name (facts 6). */
export const deleteNotification: Handler = async ({ ids: [id = ""], store }) =>
  store.change(({ notifications, relayers }) => {
    if (!notifications.get(id)) throw notificationUnknown(id);
    const users = relayers.all().filter((relayer) => relayer.notification_id === id);
    if (users.length > 0) throw stillUsed("notification", id, users);
    notifications.remove(id);
    return { data: "Notification deleted successfully" };
  });
