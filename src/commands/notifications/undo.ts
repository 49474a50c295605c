import type { JsonObject } from "../../contract/json.ts";
import type { Notification } from "../../contract/notification.ts";
import { updateNotificationSchema } from "../../contract/requests.ts";
import { memberRule } from "../../flow/body-problems.ts";
import type { Undo } from "../undo-line.ts";

/** How a change is undone. A signing key is never returned, so that none can be put back. */
export function undoOf({ url, type, signing_key: key }: JsonObject, before: Notification): Undo {
  const { url: was, has_signing_key: had } = before;
  if (had && typeof key === "string") return { because: "nobody can read the signing key that was set" };
  if (had !== false && typeof key === "string") return { because: "it is not known whether a signing key was set" };
  if (type !== undefined && type !== before.type) return { because: "it is not known what the type was" };
  const changed = url !== undefined && url !== was;
  const because = changed ? urlReason(was) : undefined;
  if (because !== undefined) return { because };
  return { flags: [...(changed ? ["--url", String(was)] : []), ...(key ? ["--remove-signing-key"] : [])] };
}

const USER_INFO = /\/\/[^/?#]*@/;

function urlReason(was: Notification["url"]): string | undefined {
  if (typeof was !== "string") return "it is not known what the URL was";
  if (USER_INFO.test(was)) return "the URL that there was holds a password, which is not printed";
  const rule = memberRule(updateNotificationSchema, "url", was);
  return rule && `the URL that there was may not be sent: ${rule}`;
}
