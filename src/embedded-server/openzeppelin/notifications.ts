import { NOTIFICATION_TYPES } from "../../contract/resources/notification.ts";
import { creatingNotificationBy, updatingNotificationBy } from "../handlers/change-notifications.ts";
import { Refusal } from "../refusal.ts";
import { oneOf, optional, struct, text } from "./serde.ts";
import { typedBody } from "./typed-body.ts";

const type = optional(oneOf(NOTIFICATION_TYPES));
const creation = struct(
  "NotificationCreateRequest",
  { id: optional(text), type, url: text, signing_key: optional(text) },
  { required: ["url"] },
);
const update = struct("NotificationUpdateRequest", { type, url: optional(text), signing_key: optional(text) });

/** Creates a notification. Null counts as absent, and a key has at least 32 bytes (facts 6). */
export const createNotification = creatingNotificationBy((request) => {
  const body = typedBody(request, creation);
  refuseBroken(body);
  return body;
});

/** Updates a notification. Absent or null keeps a field, an empty key removes it (facts 6). */
export const updateNotification = updatingNotificationBy(
  (request) => typedBody(request, update),
  (patch) => refuseBroken(patch.signing_key === "" ? { ...patch, signing_key: undefined } : patch),
);

const ID_RULE = "ID must contain only letters, numbers, dashes and underscores and must be at most 36 characters long";
const LEAST_KEY = 32;

interface Given {
  id?: string | undefined;
  url?: string | undefined;
  signing_key?: string | undefined;
}

function refuseBroken({ id, url, signing_key: key }: Given): void {
  if (id !== undefined && !/^[a-zA-Z0-9_-]{1,36}$/.test(id)) throw new Refusal(400, ID_RULE);
  if (url !== undefined && !URL.canParse(url)) throw new Refusal(400, "Invalid URL format");
  if (key !== undefined && new TextEncoder().encode(key).length < LEAST_KEY) {
    throw new Refusal(400, `Signing key must be at least ${LEAST_KEY} characters long`);
  }
}
