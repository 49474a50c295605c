import { fieldRule } from "../../command-support/request-body/body-problems.ts";
import type { JsonObject } from "../../contract/json.ts";
import { updateNotificationSchema } from "../../contract/requests.ts";
import type { Notification } from "../../contract/resources/notification.ts";
import type { Undo } from "../undo-line.ts";

/** How a change is undone. A signing key is never returned, so that none can be put back. */
export function undoOf({ url, type, signing_key: key }: JsonObject, before: Notification): Undo {
  const { url: was, has_signing_key: had } = before;
  if (had && typeof key === "string") return { because: "the previous signing key cannot be read" };
  if (had !== false && typeof key === "string") return { because: "unknown whether a signing key was set" };
  if (type !== undefined && type !== before.type) return { because: "the previous type is unknown" };
  const changed = url !== undefined && url !== was;
  const because = changed ? urlReason(was) : undefined;
  if (because !== undefined) return { because };
  return { flags: [...(changed ? ["--url", String(was)] : []), ...(key ? ["--remove-signing-key"] : [])] };
}

const USER_INFO = /\/\/[^/?#]*@/;

function urlReason(was: Notification["url"]): string | undefined {
  if (typeof was !== "string") return "the previous URL is unknown";
  if (USER_INFO.test(was)) return "the previous URL contains a password, which is not printed";
  const rule = fieldRule(updateNotificationSchema, "url", was);
  return rule && `the previous URL cannot be sent: ${rule}`;
}
