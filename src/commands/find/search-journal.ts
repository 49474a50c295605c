import { RelayctlError } from "../../errors.ts";
import type { Entry, Intent, WriteOutcome } from "../../journal/entry.ts";
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
  const found: RecordedTransaction[] = [];
  for (const write of writes) {
    const { run, time, operation, ids } = write;
    const relayer = ids.relayer_id;
    const what = `${operation}, ${time}`;
    hits.push(hitOf(session, { kind: "write", relayer: relayer ?? null, id: run, what }, ["history", "show", run]));
    const transaction = operation.startsWith("tx.") ? transactionOf(write, entries) : undefined;
    if (relayer !== undefined && transaction !== undefined) found.push({ relayer, transaction });
  }
  return found.filter(
    ({ transaction }, index) => found.findIndex((other) => other.transaction === transaction) === index,
  );
}

async function entriesOf({ session, thing, parts }: Search): Promise<readonly Entry[]> {
  try {
    return (await (await session.journal())?.find(thing.text)) ?? [];
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.failure === "interrupted") throw error;
    parts.push({ id: "journal", error });
    return [];
  }
}

/** Returns the ID of the transaction that a write changed or created. */
function transactionOf({ id, ids }: Intent, entries: readonly Entry[]): string | undefined {
  const outcome = entries.find((entry): entry is WriteOutcome => entry.type === "outcome" && entry.id === id);
  const shown = ids.transaction_id ?? outcome?.after?.id;
  return typeof shown === "string" ? shown : undefined;
}
