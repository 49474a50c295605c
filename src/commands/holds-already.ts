import { compare } from "../client/read-back/compare.ts";
import type { JsonObject } from "../contract/json.ts";

/** Returns the message that nothing needs to change. */
export function alreadySet(id: string): string {
  return `${id}: already set`;
}

/** Returns whether a resource certainly has all requested values already. */
export function holdsAlready(requested: JsonObject, seen: JsonObject): boolean {
  const { different, unconfirmed } = compare(requested, seen);
  return different.length === 0 && unconfirmed.length === 0;
}
