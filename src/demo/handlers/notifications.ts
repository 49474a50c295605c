import type { JsonObject } from "../../contract/json.ts";
import type { Handler } from "../handler.ts";
import { listAnswer } from "../paging.ts";
import { notificationUnknown, stillUsed } from "../refusal.ts";

/** interface.md, List notifications. */
export const listNotifications: Handler = async ({ query, store }) =>
  store.read(({ notifications }) => listAnswer(notifications, query, withoutKey));

/** Not in interface.md; service-facts 6. */
export const getNotification: Handler = async ({ ids: [id = ""], store }) =>
  store.read(({ notifications }) => {
    const notification = notifications.get(id);
    if (!notification) throw notificationUnknown(id);
    return { data: withoutKey(notification) };
  });

/** The key itself is never answered (interface.md, Notification); a removed one is empty. */
export function withoutKey({ id, type = "webhook", url = "", signing_key }: JsonObject): JsonObject {
  return { id: id ?? "", type, url, has_signing_key: typeof signing_key === "string" && signing_key !== "" };
}

/** service-facts 6: refused while relayers report to it, which are named by their names. */
export const deleteNotification: Handler = async ({ ids: [id = ""], store }) =>
  store.change(({ notifications, relayers }) => {
    if (!notifications.get(id)) throw notificationUnknown(id);
    const users = relayers.all().filter((relayer) => relayer.notification_id === id);
    if (users.length > 0) throw stillUsed("notification", id, users);
    notifications.remove(id);
    return { data: "Notification deleted successfully" };
  });
