import type { JsonValue } from "../../contract/json.ts";
import { maskRpcUrl } from "../../contract/rpc-url.ts";

/** Masks the secrets in a text. */
export type Hide = (text: string) => string;

const SHOWN = 500;
/** How much of a text is searched to show `SHOWN` characters, so that the cost does not grow with the response. */
const LONGEST_SCANNED = 4 * SHOWN;

/** Matches a URL up to the first character that cannot be part of one; the service's own `[path redacted]` stays. */
const URLS = /\b[a-z][a-z0-9+.-]*:\/\/(?:(?!\[path redacted\])[^\s"'<>()`])+/gi;

export const keepText: Hide = (text) => text;

/** @param hide masks secrets before the text is cut: part of one would no longer be found */
export function shownTextLine(text: string, hide = keepText): string {
  const line = hide(text).trimStart().slice(0, LONGEST_SCANNED).replace(/\s+/g, " ").trim();
  const masked = line.replace(URLS, maskRpcUrl);
  return masked.length > SHOWN ? `${masked.slice(0, SHOWN)}…` : masked;
}

export function isHtmlReply(text: string): boolean {
  return /^\s*<(?:!doctype|html|head|body)\b/i.test(text);
}

/** Returns whether a text is JSON that was cut off, e.g. by a proxy, so that nothing shows who sent it, and why. */
export function isCutJsonReply({ json, text }: { json?: JsonValue; text: string }): boolean {
  return json === undefined && /^\s*[{[]/.test(text);
}
