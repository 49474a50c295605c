import type { JsonObject } from "../../contract/json.ts";
import { createNotificationSchema, updateNotificationSchema } from "../../contract/requests.ts";
import { jsonBody, valid } from "../body.ts";
import type { Handler } from "../handler.ts";
import { listAnswer } from "../paging.ts";
import { notificationExists, notificationMissing, notificationUnknown, stillUsed } from "../refusal.ts";

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

/** interface.md, Create a notification; without an id it gets a UUID (service-facts 6). */
export const createNotification: Handler = async ({ request, store, random }) => {
  const body = valid(createNotificationSchema, jsonBody(request));
  return store.change(({ notifications }) => {
    const id = body.id ?? random.uuid();
    if (notifications.get(id)) throw notificationExists();
    const created = { type: "webhook", ...body, id };
    notifications.put(created);
    return { status: 201, data: withoutKey(created) };
  });
};

/** interface.md, Update a notification. */
export const updateNotification: Handler = async ({ ids: [id = ""], request, store }) => {
  const { signing_key, ...patch } = valid(updateNotificationSchema, jsonBody(request));
  return store.change(({ notifications }) => {
    const old = notifications.get(id);
    if (!old) throw notificationMissing(id);
    const updated = { ...old, ...patch, ...keyMember(signing_key) };
    notifications.put(updated);
    return { data: withoutKey(updated) };
  });
};

/** The three rules of the interface: absent (or null, service-facts 6) keeps the key, "" removes it, a text sets it. */
function keyMember(key: string | null | undefined): JsonObject {
  return typeof key === "string" ? { signing_key: key } : {};
}

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
