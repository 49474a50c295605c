import type { JsonObject } from "../../contract/json.ts";
import type { Notification } from "../../contract/notification.ts";
import type { Undo } from "../undo-line.ts";

/** How a change is taken back. A signing key is never returned, so that none can be put back. */
export function undoOf({ url, signing_key: key }: JsonObject, before: Notification): Undo {
  const { url: was, has_signing_key: had } = before;
  const setsKey = typeof key === "string" && key !== "";
  if (had && typeof key === "string") return { because: "nobody can read the signing key that was set" };
  if (had !== false && setsKey) return { because: "it is not known whether a signing key was set" };
  if (url !== undefined && typeof was !== "string") return { because: "it is not known what the URL was" };
  return {
    flags: [
      ...(typeof was === "string" && url !== undefined && url !== was ? ["--url", was] : []),
      ...(setsKey ? ["--remove-signing-key"] : []),
    ],
  };
}
