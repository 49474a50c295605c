import type { JsonObject } from "./json.ts";
import { flag, nullish, object, text } from "./shape.ts";

/** interface.md, Notification. */
export const NOTIFICATION_TYPES = ["webhook"] as const;

/** A webhook target as the service answers it (interface.md, Notification). The key itself is never returned. */
export type Notification = NotificationMembers & JsonObject;

/** The members that are documented; nothing but the id is sure to be there. */
export interface NotificationMembers {
  id: string;
  type?: string | null;
  url?: string | null;
  has_signing_key?: boolean | null;
}

export const notificationShape = object({
  id: text,
  type: nullish(text),
  url: nullish(text),
  has_signing_key: nullish(flag),
});

/** interface.md, Create a notification. The real service wants 32 bytes of key or more, and an id of 1 to 36 letters, digits, `-`, `_` (service-facts 6). */
export interface CreateNotificationRequest {
  url: string;
  id?: string;
  type?: "webhook";
  signing_key?: string;
}

/** interface.md, Update a notification: key absent or null keeps it, "" removes it, any other string sets it. */
export interface UpdateNotificationRequest {
  type?: "webhook";
  url?: string;
  signing_key?: string | null;
}
