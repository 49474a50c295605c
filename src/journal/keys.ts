import type { JsonValue } from "../contract/json.ts";
import type { Entry, Intent } from "./journal.ts";

/**
 * Returns the keys of an entry: its ID and its run, the transaction that it changes or creates, the hashes of that transaction, the key of `--once`, its temporary change, and the
 * file of a run of payments. An outcome does not know its operation, so the ID of any created resource is a key.
 */
export function entryKeys(entry: Entry): string[] {
  const { id, run } = entry;
  const others: (JsonValue | undefined)[] =
    entry.type === "intent"
      ? [
          entry.ids.transaction_id,
          entry.before?.hash,
          entry.once,
          entry.temporary,
          entry.keeps,
          entry.restores,
          ...fileKeys(entry),
        ]
      : [entry.after?.id, entry.after?.hash];
  const isKey = (key: JsonValue | undefined): key is string => typeof key === "string" && key !== "";
  return [...new Set([id, run, ...others.filter(isKey)])];
}

/** A run has one such intent for each command, and its payments lack these keys: a search finds few entries. */
function fileKeys({ payments }: Intent): string[] {
  const { sha256, file, content, first } = payments ?? {};
  return [sha256, file, content, first].filter((key) => key !== undefined);
}

export interface Pointed {
  offset: number;
  entry: Entry;
}

/** With more keys, parsing each line is faster than searching it for each key. */
const MOST_SEARCHED = 8;

export function hasEntryKey(entry: Entry, keys: ReadonlySet<string>): boolean {
  return entryKeys(entry).some((key) => keys.has(key));
}

/** Returns false if no line in some bytes has one of the keys. A key with JSON escapes can't be searched. */
export function mayHaveEntryKey(bytes: Buffer, keys: ReadonlySet<string>): boolean {
  if (keys.size > MOST_SEARCHED) return true;
  for (const key of keys) if (!/^[ !#-[\]-~]*$/.test(key) || bytes.includes(key)) return true;
  return false;
}
