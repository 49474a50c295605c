import type { JsonObject } from "../json.ts";
import { flag, nullish, object, text } from "../reply/shape.ts";

/** interface 2.5. */
export const NOTIFICATION_TYPES = ["webhook"] as const;

/** A webhook target as the service returns it (interface 2.5). The key is never returned. */
export type Notification = NotificationFields & JsonObject;

/** The documented fields; only the ID is always present. */
export interface NotificationFields {
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

/**
 * interface 4.5. The real service requires a key of at least 32 bytes, and an ID of 1 to 36 letters, digits, `-`, `_`
 * (facts 6).
 */
export interface CreateNotificationRequest {
  url: string;
  id?: string;
  type?: "webhook";
  signing_key?: string;
}

/** interface 4.6: an absent or null key keeps it, "" removes it, any other string sets it. */
export interface UpdateNotificationRequest {
  type?: "webhook";
  url?: string;
  signing_key?: string | null;
}
