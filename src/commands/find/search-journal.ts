import { RelayctlError } from "../../errors.ts";
import type { Entry } from "../../journal/entry.ts";
import type { Search } from "./search.ts";
import { hitOf } from "./view.ts";

/** A transaction of which the journal shows the hash or the ID. */
export interface RecordedTransaction {
  relayer: string;
  transaction: string;
}

/** Searches the writes to this service, and returns the transactions that they are about. */
export async function searchJournal(search: Search): Promise<RecordedTransaction[]> {
  const { session, hits, parts } = search;
  const entries = await entriesOf(search);
  const writes = entries.filter((entry) => entry.type === "intent").filter(({ server }) => server === session.origin);
  // A journal without a match does not stand for a service that does not respond.
  if (writes.length > 0) parts.push({ id: "journal", value: true });
  const created = createdIn(entries);
  const found = new Map<string, RecordedTransaction>();
  for (const write of writes) {
    const { id, run, time, operation, ids } = write;
    const relayer = ids.relayer_id;
    const what = `${operation}, ${time}`;
    hits.push(hitOf(session, { kind: "write", relayer: relayer ?? null, id: run, what }, ["history", "show", run]));
    const transaction = operation.startsWith("tx.") ? (ids.transaction_id ?? created.get(id)) : undefined;
    if (relayer !== undefined && typeof transaction === "string" && !found.has(transaction))
      found.set(transaction, { relayer, transaction });
  }
  return [...found.values()];
}

async function entriesOf({ session, thing, hits, parts }: Search): Promise<readonly Entry[]> {
  try {
    const journal = await session.journal();
    if (!journal) return [];
    const found = await journal.find(thing.text);
    const isGone = ["word", "uuid"].includes(thing.form) && found.length === 0 && hits.length === 0;
    const isSought = thing.form === "address" || isGone;
    return isSought ? await (await import("./search-bodies.ts")).writesAbout(journal, thing) : found;
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.failure === "interrupted") throw error;
    parts.push({ id: "journal", error });
    return [];
  }
}

/** Returns the IDs of what writes created or changed, by the ID of the write. */
function createdIn(entries: readonly Entry[]): Map<string, string> {
  const created = new Map<string, string>();
  for (const entry of entries) {
    const shown = entry.type === "outcome" ? entry.after?.id : undefined;
    if (typeof shown === "string" && !created.has(entry.id)) created.set(entry.id, shown);
  }
  return created;
}
