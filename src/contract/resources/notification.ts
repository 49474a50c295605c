import type { JsonObject } from "../json.ts";
import { type FieldTable, fieldsShape } from "./field.ts";
import type { Creation, Patch, Returned } from "./field-types.ts";

/** interface 2.5. */
export const NOTIFICATION_TYPES = ["webhook"] as const;

const TYPE = {
  form: "word",
  words: NOTIFICATION_TYPES,
  rule: "only webhook",
  flag: ["--type <type>", "Notification type (the only type)"],
} as const;

const URL_FIELD = {
  form: "url",
  rule: "Invalid URL format: an absolute URL",
} as const;

/** Every field of a notification (interface 2.5, 4.5, 4.6). New fields go last. */
export const notificationFields = {
  id: {
    ...{ holds: "id", label: "id", table: 1, flat: true },
    create: { form: "id", flag: ["--id <id>", "Notification ID (default: generated)"] },
  },
  type: { ...{ holds: "text", label: "type", table: 2, flat: true }, create: TYPE, update: TYPE },
  url: {
    ...{ holds: "text", label: "url", table: 4, flat: true },
    create: {
      ...URL_FIELD,
      needed: "where deliveries go",
      flag: ["--url <url>", "URL that deliveries are sent to (required)"],
    },
    update: { ...URL_FIELD, null: "ignored", flag: ["--url <url>", "URL that deliveries are sent to"] },
  },
  has_signing_key: { holds: "flag", label: "signing key", table: 3, flat: true },
  /**
   * Never returned, and read only from a file, stdin, or a hidden prompt. In a patch, an absent or null key stays, "" removes
   * it, and other text sets it. The real service requires at least 32 bytes (facts 6).
   */
  signing_key: {
    create: { form: "text", rule: "a key" },
    update: { form: "any text", null: "accepted" },
  },
} as const satisfies FieldTable;

/** A service stores a URL of any scheme, but delivers only over http and https (facts 6). */
export function deliveryUrlProblem(url: string): string | undefined {
  const isDelivered = URL.canParse(url) && /^https?:/.test(new URL(url).protocol);
  return isDelivered ? undefined : "Invalid URL format: an absolute http or https URL";
}

/** The fewest bytes of a signing key that the real service accepts (facts 6). */
export const SHORTEST_SIGNING_KEY = 32;

/** Returns whether the real service accepts a signing key of this length (facts 6). */
export function isLongEnough(signingKey: string): boolean {
  return new TextEncoder().encode(signingKey).length >= SHORTEST_SIGNING_KEY;
}

/** The documented fields; the declarations of the package write them out. */
type NotificationFields = Returned<typeof notificationFields>;

/** A webhook target as the service returns it. The key is never returned. */
export type Notification = NotificationFields & JsonObject;

export const notificationShape = fieldsShape(notificationFields);

/** interface 4.5. The real service requires an ID of 1 to 36 letters, digits, `-`, `_` (facts 6). */
export type CreateNotificationRequest = Creation<typeof notificationFields>;

/** interface 4.6. */
export type UpdateNotificationRequest = Patch<typeof notificationFields>;
