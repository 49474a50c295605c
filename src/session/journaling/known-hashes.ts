import { ifReadable } from "../../errors.ts";
import type { Entry, Intent } from "../../journal/journal.ts";
import type { Session } from "../session.ts";

export interface KnownHashes {
  /** Newest first. */
  all: readonly string[];
  /** The hash before the last replacement or cancellation that was not refused. */
  previous?: string;
}

const NONE: KnownHashes = { all: [] };

/** Returns a transaction's hashes in the journal, if it can be read, since it only helps. */
export async function knownHashes(session: Pick<Session, "journal">, transactionId: string): Promise<KnownHashes> {
  const entries = await ifReadable(session.journal().then((journal) => journal?.find(transactionId)));
  return entries ? hashesIn(entries, transactionId) : NONE;
}

function hashesIn(entries: readonly Entry[], transactionId: string): KnownHashes {
  const refused = new Set(
    entries.flatMap((entry) => (entry.type === "outcome" && entry.applied === "no" ? [entry.id] : [])),
  );
  const changes = entries.filter(
    (entry): entry is Intent =>
      entry.type === "intent" && entry.ids.transaction_id === transactionId && !refused.has(entry.id),
  );
  const found = entries.flatMap((entry) => {
    const seen = entry.type === "intent" ? entry.before : entry.after;
    return seen?.id === transactionId && typeof seen.hash === "string" ? [seen.hash] : [];
  });
  const previous = changes.at(-1)?.before?.hash;
  return { all: [...new Set(found.reverse())], ...(typeof previous === "string" && { previous }) };
}
