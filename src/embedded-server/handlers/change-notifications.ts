import type { JsonObject } from "../../contract/json.ts";
import { createNotificationSchema, updateNotificationSchema } from "../../contract/requests.ts";
import type { WireRequest } from "../../contract/wire.ts";
import { type Handler, handlerJsonBody, validForHandler } from "../handler.ts";
import { notificationExists, notificationMissing } from "../refusal.ts";
import { resourceWithoutKey } from "./resources.ts";

/** Reads the new fields of a notification; absent fields are kept. @throws Refusal */
type ReadNotification<T = JsonObject> = (request: WireRequest) => T;

/** Creates a notification (interface 4.5), with a UUID without an ID (facts 6). */
export function creatingNotificationBy(read: ReadNotification<JsonObject & { id?: string }>): Handler {
  return async ({ request, store, random }) => {
    const body = read(request);
    return store.change(({ notifications }) => {
      const id = body.id ?? random.uuid();
      if (notifications.get(id)) throw notificationExists();
      const created = { type: "webhook", ...body, id };
      notifications.put(created);
      return { status: 201, data: resourceWithoutKey(created) };
    });
  };
}

/** Updates a notification (interface 4.6). @param validate validates the body after the notification is found */
export function updatingNotificationBy(
  read: ReadNotification,
  validate: (patch: JsonObject) => void = () => {},
): Handler {
  return async ({ ids: [id = ""], request, store }) => {
    const patch = read(request);
    return store.change(({ notifications }) => {
      const old = notifications.get(id);
      if (!old) throw notificationMissing(id);
      validate(patch);
      const updated = { ...old, ...patch };
      notifications.put(updated);
      return { data: resourceWithoutKey(updated) };
    });
  };
}

export const createNotification = creatingNotificationBy((request) =>
  validForHandler(createNotificationSchema, handlerJsonBody(request)),
);

export const updateNotification = updatingNotificationBy((request) => {
  const { signing_key, ...patch } = validForHandler(updateNotificationSchema, handlerJsonBody(request));
  return { ...patch, ...(typeof signing_key === "string" ? { signing_key: signing_key } : {}) };
});
