import { perform, type Receipt } from "../../command-support/perform.ts";
import type { Session } from "../../command-support/session/session.ts";
import { commandLine } from "../../command-support/shell-words.ts";
import type { DiffFlag } from "../../command-support/shown.ts";
import type { JsonObject } from "../../contract/json.ts";
import { operations } from "../../contract/operations.ts";
import type { Notification, UpdateNotificationRequest } from "../../contract/resources/notification.ts";
import { aligned } from "../../terminal/aligned.ts";
import { visible } from "../../terminal/escape.ts";
import type { View } from "../../terminal/view.ts";
import type { Call } from "../command.ts";
import { alreadySet, holdsAlready } from "../holds-already.ts";
import { readBefore } from "../read-before.ts";
import { undoLine } from "../undo-line.ts";
import { changeTexts } from "./change-text.ts";
import { undoOf } from "./undo.ts";
import { notificationView } from "./view.ts";

/** A change that was judged. */
export interface NotificationChange {
  id: string;
  body: JsonObject;
}

export async function sendChange(call: Call<DiffFlag>, { id, body }: NotificationChange): Promise<View> {
  return await perform<Notification>(call, {
    request: { operation: operations["notifications.update"], parameters: { notification_id: id }, body },
    title: `update notification ${id}`,
    act: body.signing_key === "" ? "removing a signing key" : "changing a notification",
    id,
    resource: notificationView,
    before: () => readBefore(call, id, (client) => client.notifications.get(id, { byRoute: true })),
    preview: (before) => preview(body, before),
    alreadySo: (before) => (isAlready(body, before) ? alreadySet(id) : undefined),
    send: (client) => client.notifications.update(id, body as UpdateNotificationRequest),
    receipt: (_, before, session) => receipt({ id, body }, before, session),
    readAgain: (session) => commandLine(...session.flags, "notifications", "get", id),
  });
}

/** A key can be seen to be gone, and never to be the one that is asked. */
function isAlready({ signing_key: key = null, ...rest }: JsonObject, before: Notification): boolean {
  const keyHolds = key === null || (key === "" && before.has_signing_key === false);
  return keyHolds && holdsAlready(rest, before);
}

function preview(body: JsonObject, before: Notification | undefined): string[] {
  return aligned(changeTexts(body, before).map(({ label, change }) => [`  ${label}`, visible(change)]));
}

function receipt({ id, body }: NotificationChange, before: Notification | undefined, session: Session): Receipt {
  const told = changeTexts(body, before).map(({ label, change }) => `${label} ${change}`);
  const applied = `applied in ${session.name}: ${id} ${told.join(", ") || "as it was"}`;
  if (!before || told.length === 0) return { applied };
  return { applied, next: undoLine(undoOf(body, before), session, "notifications", "update", id) };
}
