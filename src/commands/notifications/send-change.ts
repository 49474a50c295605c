import type { JsonObject } from "../../contract/json.ts";
import type { Notification, UpdateNotificationRequest } from "../../contract/notification.ts";
import { operations } from "../../contract/operations.ts";
import { perform } from "../../flow/perform.ts";
import type { Session } from "../../flow/session.ts";
import { commandLine } from "../../flow/shell-words.ts";
import type { View } from "../../terminal/view.ts";
import type { Call } from "../command.ts";
import { holdsAlready } from "../holds-already.ts";
import { readBefore } from "../read-before.ts";
import { notificationView } from "./view.ts";

/** A change that was judged. */
export interface NotificationChange {
  id: string;
  body: JsonObject;
}

export async function sendChange(call: Call<{ diff?: true }>, { id, body }: NotificationChange): Promise<View> {
  return await perform<Notification>(call, {
    ask: { operation: operations["notifications.update"], parameters: { notification_id: id }, body },
    title: `update notification ${id}`,
    act: body.signing_key === "" ? "removing a signing key" : "this change of a notification",
    id,
    resource: notificationView,
    before: () => readBefore(call, (client) => client.notifications.get(id, { byRoute: true })),
    alreadySo: (before) => (isAlready(body, before) ? `${id} is as asked already` : undefined),
    send: (client) => client.notifications.update(id, body as UpdateNotificationRequest),
    receipt: (after, before, session) => receipt({ id, body }, before, after, session),
    lookAgain: (session) => commandLine(...session.flags, "notifications", "get", id),
  });
}

/** A key can be seen to be gone, and never to be the one that is asked. */
function isAlready({ signing_key: key = null, ...rest }: JsonObject, before: Notification): boolean {
  const keyHolds = key === null || (key === "" && before.has_signing_key === false);
  return keyHolds && holdsAlready(rest, before);
}

function receipt(
  { id, body }: NotificationChange,
  before: Notification | undefined,
  after: Notification,
  session: Session,
): string[] {
  const was = before?.url;
  const old = typeof was === "string" ? `${was} → ` : "→ ";
  const told = [...(body.url === undefined ? [] : [`url ${old}${after.url}`]), ...keyWords(body)];
  const applied = `applied in ${session.name}: ${id} ${told.join(", ") || "as it was"}`;
  if (typeof was !== "string" || body.url === undefined || keyWords(body).length > 0) return [applied];
  return [applied, `undo: ${commandLine(...session.flags, "notifications", "update", id, "--url", was)}`];
}

/** What was there before is known to nobody, so that a key cannot be put back. */
function keyWords({ signing_key: key }: JsonObject): string[] {
  if (typeof key !== "string") return [];
  return [key === "" ? "signing key removed" : "signing key set"];
}
