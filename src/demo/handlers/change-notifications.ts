import type { JsonObject } from "../../contract/json.ts";
import { createNotificationSchema, updateNotificationSchema } from "../../contract/requests.ts";
import { jsonBody, valid } from "../body.ts";
import type { Handler } from "../handler.ts";
import { notificationExists, notificationMissing } from "../refusal.ts";
import { withoutKey } from "./notifications.ts";

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
