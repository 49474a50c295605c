import * as z from "zod/mini";
import { idProblem } from "./id.ts";
import type { JsonObject } from "./json.ts";
import { saying } from "./saying.ts";

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

export const notificationSchema = z.looseObject({
  id: z.string(),
  type: z.nullish(z.string()),
  url: z.nullish(z.string()),
  has_signing_key: z.nullish(z.boolean()),
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

const webhookUrl = z.string().check(z.refine((url) => URL.canParse(url), "an absolute URL"));
const webhookType = z.enum(NOTIFICATION_TYPES, "only webhook");

export const createNotificationSchema = z.strictObject({
  url: webhookUrl,
  id: z.exactOptional(z.string().check(saying(idProblem))),
  type: z.exactOptional(webhookType),
  signing_key: z.exactOptional(z.string().check(z.minLength(1, "a key"))),
});

export const updateNotificationSchema = z.strictObject({
  type: z.exactOptional(webhookType),
  url: z.exactOptional(webhookUrl),
  signing_key: z.exactOptional(z.nullable(z.string())),
});
