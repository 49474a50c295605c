import type { JsonValue } from "../contract/json.ts";
import { maskRpcUrl } from "../contract/rpc-url.ts";

/** A value that a file leaves out since the service does not return it, e.g. `${hidden:key}` (facts 4.4 and 6). */
const HIDDEN = /^\$\{hidden:([^{}]*)\}$/;

/** Returns a file's description of a value that it leaves out: `key`, `https://host#1`; undefined for a value. */
export function hiddenIn(text: JsonValue | undefined): string | undefined {
  return typeof text === "string" ? HIDDEN.exec(text)?.[1] : undefined;
}

export function hiddenText(what: string): string {
  return `\${hidden:${what}}`;
}

/** A missing value: `${hidden:set NAME}`, or in a URL `${hidden:set NAME for https://host}`. */
const UNSET = /^(set|create) (.+?)(?: for (https?:\/\/[^/]+))?$/s;

/** Returns the fix and the problem of a missing value; undefined for any other text. */
export function unsetHiddenIn(text: JsonValue | undefined): { fix: string; missing: string } | undefined {
  const [, verb, what] = UNSET.exec(hiddenIn(text) ?? "") ?? [];
  if (what === undefined) return undefined;
  return { fix: `${verb} ${what}`, missing: `${what} ${verb === "set" ? "is not set" : "does not exist"}` };
}

export function unsetHiddenText(fix: string, before = ""): string {
  const origin = /^https?:\/\/[^/?#]+[/?#]/i.test(before) ? ` for ${hiddenUrlOrigin(before)}` : "";
  return hiddenText(fix.replace(/[{}]/g, "?") + origin);
}

export function hiddenOrigin(hidden: string): string | undefined {
  const unset = UNSET.exec(hidden);
  return unset ? unset[3] : hidden.replace(/#\d*$/, "");
}

/** Returns `${hidden:https://host#1}`: the origin of an RPC URL, and its number among the list's URLs with this origin. */
export function hiddenUrl(url: string, number: number): string {
  return hiddenText(`${hiddenUrlOrigin(url)}#${number}`);
}

export function hiddenUrlOrigin(url: string): string {
  return maskRpcUrl(url).replace(/[/?#]\*{0,3}$/, "");
}
