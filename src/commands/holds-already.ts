import { compare } from "../client/read-back/compare.ts";
import type { JsonObject } from "../contract/json.ts";

/** Says that nothing is left to change. */
export function alreadySet(id: string): string {
  return `${id}: already set`;
}

/** Whether a thing that was read holds all that is asked, as far as that can be seen without a doubt. */
export function holdsAlready(asked: JsonObject, seen: JsonObject): boolean {
  const { different, unconfirmed } = compare(asked, seen);
  return different.length === 0 && unconfirmed.length === 0;
}
