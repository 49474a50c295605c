import type { Entry } from "../entry.ts";
import { keysOf } from "../keys.ts";

export interface Pointed {
  offset: number;
  entry: Entry;
}

/** With more keys, to parse each line is faster than to search it for each key. */
const MOST_SEARCHED = 8;

export function hasKey(entry: Entry, keys: ReadonlySet<string>): boolean {
  return keysOf(entry).some((key) => keys.has(key));
}

/** Returns false if no line in some bytes has one of the keys. One that JSON writes with escapes cannot be searched. */
export function mayContain(bytes: Buffer, keys: ReadonlySet<string>): boolean {
  if (keys.size > MOST_SEARCHED) return true;
  for (const key of keys) if (!/^[ !#-[\]-~]*$/.test(key) || bytes.includes(key)) return true;
  return false;
}
