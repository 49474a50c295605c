import type { JsonObject } from "../../contract/json.ts";
import type { Notification } from "../../contract/resources/notification.ts";

/** One member that changes, as a person reads it. */
export interface ChangeText {
  label: string;
  /** Old beside new; without the old where it is not known. A key is never shown. */
  change: string;
}

/** What a change of a notification changes; what is known to be so already is not told. */
export function changeTexts({ url, signing_key: key }: JsonObject, before: Notification | undefined): ChangeText[] {
  const oldUrl = typeof before?.url === "string" ? `${before.url} → ` : "→ ";
  return [
    ...(typeof url === "string" && url !== before?.url ? [{ label: "url", change: oldUrl + url }] : []),
    ...(typeof key === "string" ? keyTexts(key, before?.has_signing_key) : []),
  ];
}

function keyTexts(key: string, had: boolean | null | undefined): ChangeText[] {
  if (key === "" && had === false) return [];
  const old = typeof had === "boolean" ? `${had ? "set" : "none"} → ` : "→ ";
  const now = key === "" ? "removed" : had ? "another" : "set";
  return [{ label: "signing key", change: old + now }];
}
