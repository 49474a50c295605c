import type { Client } from "../../client/client.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import { RelayctlError } from "../../errors.ts";

export interface Round {
  /** The records of transactions that may have ended. */
  ready: Transaction[];
  /** The transactions that the service no longer has. */
  gone: string[];
  wasLimited: boolean;
  requests: number;
}

export interface RecordReads {
  client: Client;
  relayerId: string;
  /** Returns whether a record shows that its transaction may have ended. */
  mayEnd(record: Transaction): boolean;
}

/** The most records that are read one by one in a round: those that the list does not have. */
const MOST_SINGLE = 64;

/**
 * Returns a function that reads the records of open transactions, a round at a time. The list is sorted newest first, and is
 * read down to the oldest of them. A transaction that a whole list did not have is read by itself from then on: a list
 * that is as long as the relayer's life would be read in each round otherwise. What fails for now is read again in the
 * next round, after what was not read yet.
 */
export function createRounds({ client, relayerId, mayEnd }: RecordReads) {
  /** The open transactions that the list does not have, the least recently read first. */
  const unlisted = new Set<string>();

  return async (open: ReadonlyMap<string, unknown>): Promise<Round> => {
    const round: Round = { ready: [], gone: [], wasLimited: false, requests: 0 };
    for (const id of unlisted) if (!open.has(id)) unlisted.delete(id);
    const listed = new Set([...open.keys()].filter((id) => !unlisted.has(id)));
    try {
      if (listed.size > 0) await readList(round, listed);
      await readSingles(round);
    } catch (error) {
      if (!(error instanceof RelayctlError) || !error.retryable) throw error;
      round.wasLimited = error.failure === "rate_limited";
    }
    return round;
  };

  async function readList(round: Round, left: Set<string>): Promise<void> {
    const note = (item: Transaction) => {
      if (left.delete(item.id) && mayEnd(item)) round.ready.push(item);
    };
    for await (const { items } of client.tx.list(relayerId, { concurrency: 1 })) {
      round.requests++;
      items.forEach(note);
      if (left.size === 0) return;
    }
    for (const id of left) unlisted.add(id);
  }

  async function readSingles(round: Round): Promise<void> {
    for (const id of [...unlisted].slice(0, MOST_SINGLE)) {
      round.requests++;
      const record = await recordOf(id);
      unlisted.delete(id);
      if (!record) round.gone.push(id);
      else unlisted.add(id);
      if (record && mayEnd(record)) round.ready.push(record);
    }
  }

  async function recordOf(id: string): Promise<Transaction | undefined> {
    try {
      return (await client.tx.get(relayerId, id)).data;
    } catch (error) {
      if (error instanceof RelayctlError && error.failure === "not_found") return undefined;
      throw error;
    }
  }
}
