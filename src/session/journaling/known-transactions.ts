import type { KnownTransactions } from "../../client/earlier-transaction.ts";
import { wireAmount } from "../../contract/amount.ts";
import { receivedTime } from "../../contract/reply/received-time.ts";
import { clockOffsetOf, DAY, TOLERANCE } from "../../journal/created-in-time.ts";
import type { Entry, Intent } from "../../journal/entry.ts";
import type { Journal } from "../../journal/journal.ts";
import { type RecordedWrite, writesNewestFirst, writesOf } from "../../journal/writes.ts";

/** What the writes of the day before a request show. */
interface Recent {
  /** The IDs and hashes of transactions, also those that other processes have recorded since. */
  keys: Set<string>;
  nonce: bigint | undefined;
  ahead: number | undefined;
}

/**
 * Returns what a journal knows of transactions that existed before a request.
 * @param command the transactions that other requests of the command have got, and what `createRecent` returns; the latter is
 * absent if a search for each transaction is faster than reading all
 */
export function knownTransactions(
  journal: Journal,
  own: Intent,
  { claimed, recent }: { claimed: Set<string>; recent: (() => Promise<Recent>) | undefined },
): KnownTransactions {
  const inJournal = async (key: string, created: number) => {
    const isRecent = created > receivedTime(own.time) - DAY / 2;
    if (recent && isRecent && !(await recent()).keys.has(key)) return undefined;
    return writesOf(await journal.find(key)).find((write) => hadTransaction(write, own, key))?.intent.run;
  };
  return {
    shown: recent ?? (() => readRecent(journal, own)),
    async holderOf(key, created) {
      const run = await inJournal(key, created);
      // Of two requests of a command that get one transaction, only the first can have created it.
      if (run !== undefined || claimed.has(key)) return `run ${run ?? own.run}`;
      // V8 keeps a whole response for the slice of it that is an ID.
      claimed.add(Buffer.from(key).toString());
      return undefined;
    },
  };
}

/** Returns a function that reads what the last day shows, and each time what was recorded since. */
export function createRecent(journal: Journal, own: Intent, claimed: ReadonlySet<string>): () => Promise<Recent> {
  let newest: string | undefined;
  const newEntries = async (most: number) => {
    const found: Entry[] = [];
    for await (const entry of journal.newestFirst(receivedTime(own.time) - DAY, { mayRound: true })) {
      if (getMark(entry) === newest || found.length === most) break;
      found.push(entry);
    }
    newest = found[0] ? getMark(found[0]) : newest;
    return found;
  };
  let recent: Promise<Recent> | undefined;
  return () => {
    recent = recent
      ? recent.then(async (known) => {
          const keys = (await newEntries(Number.POSITIVE_INFINITY)).flatMap(keysIn);
          for (const key of keys) if (!claimed.has(key)) known.keys.add(key);
          return known;
        })
      : newEntries(1).then(() => readRecent(journal, own));
    return recent;
  };
}

function getMark({ type, id, time }: Entry): string {
  return `${type} ${id} ${time}`;
}

/** Reads what the writes of the last day show about the relayer of a request. */
async function readRecent(journal: Journal, own: Intent): Promise<Recent> {
  const keys = new Set<string>();
  const shown: RecordedWrite[] = [];
  const before = receivedTime(own.time);
  for await (const write of writesNewestFirst(journal, before - DAY, { mayRound: true })) {
    if (!isOther(write, own)) continue;
    for (const key of listKeys(write)) keys.add(key);
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

function isOther({ intent }: RecordedWrite, own: Intent): boolean {
  const isSameRelayer = intent.server === own.server && intent.ids.relayer_id === own.ids.relayer_id;
  return isSameRelayer && intent.id !== own.id;
}

/** Any write that has a transaction as its result claims it; a replacement or cancellation shows that it existed. */
function hadTransaction(write: RecordedWrite, own: Intent, key: string): boolean {
  const { intent, outcome } = write;
  if (!isOther(write, own) || !listKeys(write).includes(key)) return false;
  const isResult = intent.operation === "tx.send" && outcome?.applied === "yes";
  return isResult || receivedTime(intent.time) <= receivedTime(own.time);
}

function listKeys({ intent, outcome }: RecordedWrite): string[] {
  return [intent, ...(outcome ? [outcome] : [])].flatMap(keysIn);
}

function keysIn(entry: Entry): string[] {
  const keys =
    entry.type === "intent" ? [entry.ids.transaction_id, entry.before?.hash] : [entry.after?.id, entry.after?.hash];
  return keys.filter((key) => typeof key === "string");
}
