import { holdsAlready } from "../../client/read-back/compare.ts";
import type { PlannedWrite } from "../../command-support/prepared-write.ts";
import type { DiffFlag } from "../../command-support/shown.ts";
import type { JsonObject } from "../../contract/json.ts";
import { operations } from "../../contract/operations.ts";
import { bodyFieldRule } from "../../contract/requests/body-problems.ts";
import { updateNotificationSchema } from "../../contract/requests.ts";
import {
  deliveryUrlProblem,
  type Notification,
  type UpdateNotificationRequest,
} from "../../contract/resources/notification.ts";
import type { Undo } from "../../session/receipt-words.ts";
import { commandLine } from "../../shell/shell-words.ts";
import { escapeText } from "../../terminal/escape.ts";
import { alignWidths } from "../../terminal/width.ts";
import { notificationView } from "../../views/notification.ts";
import type { Call } from "../command.ts";
import { alreadySetNote, type ResourceChange, readBefore, receiptWithBefore } from "../read-before.ts";

export function notificationChange(
  call: Call<DiffFlag>,
  { id, body, read }: ResourceChange<Notification>,
): PlannedWrite<Notification> {
  return {
    request: { operation: operations["notifications.update"], parameters: { notification_id: id }, body },
    title: `update notification ${id}`,
    act: body.signing_key === "" ? "removing a signing key" : "changing a notification",
    id,
    resource: notificationView,
    prepare: async (session) => {
      const found = await (read?.() ?? readBefore(call, id, session.client.notifications));
      const before = found?.data;
      const changes = changeTexts(body, before);
      return {
        before: found,
        already: before && isAlready(body, before) ? alreadySetNote(id) : undefined,
        preview: () => alignWidths(changes.map(({ label, change }) => [label, escapeText(change)])),
        send: (client) => client.notifications.update(id, body as UpdateNotificationRequest, { before }),
        receipt: () =>
          receiptWithBefore(session, "notifications", id, {
            texts: changes.map(({ label, change }) => `${label} ${change}`),
            undo: before && undoByFlags(undoOfNotification(body, before)),
          }),
        readAgain: commandLine(...session.flags, "notifications", "get", id),
      };
    },
  };
}

/** Returns how to undo a change. A signing key is never returned, so it can't be restored. */
export function undoOfNotification({ url, type, signing_key: key }: JsonObject, before: Notification): Undo {
  const { url: was, has_signing_key: had } = before;
  if (had && typeof key === "string") return { because: "the previous signing key cannot be read" };
  if (had !== false && typeof key === "string") return { because: "unknown whether a signing key was set" };
  if (type !== undefined && type !== before.type) return { because: "the previous type is unknown" };
  const changed = url !== undefined && url !== was;
  const because = changed ? urlReason(was) : undefined;
  if (because !== undefined) return { because };
  return { flags: [...(changed ? ["--url", String(was)] : []), ...(key ? ["--remove-signing-key"] : [])] };
}

function undoByFlags(undo: Undo): Undo {
  const [flag, url = ""] = "flags" in undo ? undo.flags : [];
  if (flag !== "--url" || deliveryUrlProblem(url) === undefined) return undo;
  return { by: "by a flag", because: "--url takes only http and https; relayctl undo restores the previous URL" };
}

const USER_INFO = /\/\/[^/?#]*@/;

function urlReason(was: Notification["url"]): string | undefined {
  if (typeof was !== "string") return "the previous URL is unknown";
  if (USER_INFO.test(was)) return "the previous URL contains a password, which is not printed";
  const rule = bodyFieldRule(updateNotificationSchema, "url", was);
  return rule && `the previous URL cannot be sent: ${rule}`;
}

interface ChangeText {
  label: string;
  /** The old and new values; the old only if known. A key is never shown. */
  change: string;
}

function changeTexts({ url, signing_key: key }: JsonObject, before: Notification | undefined): ChangeText[] {
  const oldUrl = typeof before?.url === "string" ? `${before.url} → ` : "→ ";
  return [
    ...(typeof url === "string" && url !== before?.url ? [{ label: "url", change: oldUrl + url }] : []),
    ...(typeof key === "string" ? keyTexts(key, before?.has_signing_key) : []),
  ];
}

function keyTexts(key: string, had: boolean | null | undefined): ChangeText[] {
  if (key === "" && had === false) return [];
  const old = typeof had === "boolean" ? `${had ? "set" : "none"} → ` : "→ ";
  const now = key === "" ? "none" : had ? "another" : "set";
  return [{ label: "signing key", change: old + now }];
}

/** Returns whether a notification already has these values. A removed key can be verified, a set key never. */
function isAlready({ signing_key: key = null, ...rest }: JsonObject, before: Notification): boolean {
  const keyHolds = key === null || (key === "" && before.has_signing_key === false);
  return keyHolds && holdsAlready(rest, before);
}
