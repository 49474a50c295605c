import type { KnownTransactions } from "../client/earlier-transaction.ts";
import { wireAmount } from "../contract/amount.ts";
import { receivedTime } from "../contract/reply/received-time.ts";
import type { Intent } from "../journal/entry.ts";
import type { Journal } from "../journal/journal.ts";
import { type RecordedWrite, writesNewestFirst, writesOf } from "../journal/writes.ts";
import { clockOffsetOf, DAY, TOLERANCE } from "./created-in-time.ts";

/** What the writes of the day before a request show. */
interface Recent {
  /** The IDs and hashes of the transactions of the relayer. */
  keys: ReadonlySet<string>;
  nonce: bigint | undefined;
  ahead: number | undefined;
}

/**
 * Returns what a journal knows of transactions that existed before a request.
 * @param recent returns the writes of the last day; absent if a search for each transaction is faster than reading them
 */
export function knownTransactions(journal: Journal, own: Intent, recent?: () => Promise<Recent>): KnownTransactions {
  return {
    shown: recent ?? (() => readRecent(journal, own)),
    async runWith(key, created) {
      const isRecent = created > receivedTime(own.time) - DAY / 2;
      if (recent && isRecent && !(await recent()).keys.has(key)) return undefined;
      const writes = writesOf(await journal.find(key));
      return writes.find((write) => hadTransaction(write, own, key))?.intent.run;
    },
  };
}

/** Reads what the writes of the last day show about the relayer of a request. */
export async function readRecent(journal: Journal, own: Intent): Promise<Recent> {
  const keys = new Set<string>();
  const shown: RecordedWrite[] = [];
  const before = receivedTime(own.time);
  for await (const write of writesNewestFirst(journal, before - DAY, { mayRound: true })) {
    if (!isOther(write, own)) continue;
    for (const key of keysIn(write)) keys.add(key);
    if (receivedTime(write.outcome?.time) <= before) shown.push(write);
  }
  const nonces = shown.flatMap(({ outcome }) => wireAmount(outcome?.after?.nonce) ?? []);
  const nonce = nonces.reduce<bigint | undefined>((most = 0n, each) => (each > most ? each : most), undefined);
  const offset = clockOffsetOf(
    shown.filter(({ intent, outcome }) => intent.operation === "tx.send" && outcome?.applied === "yes"),
  );
  // A clock that was set since then shows nothing.
  return { keys, nonce, ahead: offset && offset.least <= offset.most + TOLERANCE ? offset.least : undefined };
}

/** A run knows its own transactions: two of its payments that get one response are both unknown. */
function isOther({ intent }: RecordedWrite, own: Intent): boolean {
  const isSameRelayer = intent.server === own.server && intent.ids.relayer_id === own.ids.relayer_id;
  return isSameRelayer && intent.run !== own.run;
}

/** Any write that has a transaction as its result claims it; a replacement or cancellation shows that it existed. */
function hadTransaction(write: RecordedWrite, own: Intent, key: string): boolean {
  const { intent, outcome } = write;
  if (!isOther(write, own) || !keysIn(write).includes(key)) return false;
  const isResult = intent.operation === "tx.send" && outcome?.applied === "yes";
  return isResult || receivedTime(intent.time) <= receivedTime(own.time);
}

function keysIn({ intent: { ids, before }, outcome }: RecordedWrite): string[] {
  const keys = [ids.transaction_id, before?.hash, outcome?.after?.id, outcome?.after?.hash];
  return keys.filter((key) => typeof key === "string");
}
