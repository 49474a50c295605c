import type { JsonValue } from "../contract/json.ts";
import type { Entry } from "./entry.ts";

/**
 * Returns the keys by which an entry is found: its ID and its run, the transaction that it changes or creates, the hashes
 * of that transaction, the key of `--once`, and what is changed for a while. An outcome does not know its operation, so the ID of any created resource
 * is a key.
 */
export function keysOf(entry: Entry): string[] {
  const { id, run } = entry;
  const others: (JsonValue | undefined)[] =
    entry.type === "intent"
      ? [entry.ids.transaction_id, entry.before?.hash, entry.once, entry.temporary, entry.restores]
      : [entry.after?.id, entry.after?.hash];
  const isKey = (key: JsonValue | undefined): key is string => typeof key === "string" && key !== "";
  return [...new Set([id, run, ...others.filter(isKey)])];
}
