import { type JsonObject, type JsonValue, writeJson } from "../contract/json.ts";
import type { OperationKind, PathParameters } from "../contract/operation.ts";
import type { Masked } from "../contract/secret-fields.ts";
import type { Applied, Failure } from "../errors.ts";

/** The members that all lines share. A type, not an interface, so that the compiler accepts it as JSON. */
type Line = {
  /** A UUID, shared by the intent and the outcome of one write. */
  id: string;
  /** A UUID, shared by all writes of a command, and by commands that resume its payments. */
  run: string;
  /** ISO 8601 in UTC. */
  time: string;
  /** The members of `body`, `before`, or `after` that are masked, since they contain secrets. */
  masked?: string[];
};

/** A request, recorded before anything may leave. */
export type Intent = Line & {
  type: "intent";
  /** The `Date` of an earlier response, if it is much later than `time`: this machine's clock may be behind. */
  date?: string;
  user: string;
  host: string;
  /** The process ID on that host, and when the process started, in any unit, if the system shows it. */
  pid?: number;
  started?: string;
  /** The URL or the name of the CI job. */
  ci?: string;
  context?: string;
  server: string;
  /** The command as typed, with its secrets masked. */
  command: string;
  operation: string;
  kind: OperationKind;
  method: string;
  target: string;
  /** The IDs in the path, e.g. `relayer_id` and `transaction_id`. */
  ids: PathParameters;
  /** The coin of a transaction's amounts, if the command knew it. */
  coin?: string;
  /** With a salted fingerprint in place of each secret and with masked URLs; left out if it is too long for a line. */
  body?: JsonValue;
  /** The salted fingerprint of each masked RPC URL, with its weight, by its path, e.g. `custom_rpc_urls.0`. */
  fingerprints?: Record<string, string>;
  /** The resource before the write, masked and left out like the body. */
  before?: JsonObject;
  /** Set if the client generated the ID in the body: finding it proves that the request was applied. */
  ownId?: true;
  reason?: string;
  once?: string;
  undoes?: string;
  /** Set if the same command will undo this change, with a description. Open until a write with the same `restores`. */
  temporary?: string;
  /** Set if this change stays, and the command has yet to show its undo, with a description. */
  keeps?: string;
  /** The `temporary` of the change that this write undoes. */
  restores?: string;
  proposal?: { id: string; user: string; approved: string[] };
  /** Set for a payment of `tx send-many`. */
  payment?: RecordedPayment;
  /** Set if this only records that a run of `tx send-many` began or was resumed. */
  payments?: RecordedPayments;
};

export type RecordedPayment = { row: number };

/** The beginning of a run of `tx send-many`, or of a part of it. */
export type RecordedPayments = {
  /** The absolute path of the file. */
  file: string;
  sha256: string;
  rows: number;
  /** The sum of all rows, in the smallest unit. */
  total: string;
  coin?: string;
  /** The SHA-256 of the receivers, amounts, and data of all rows, in hex. Absent in entries of earlier versions. */
  content?: string;
  /** The digest of the first row, to find a file that begins with the rows of this run. */
  first?: string;
  /** The folder of the journal that keeps the run, if it is another one. */
  keptIn?: string;
};

/** The outcome of an intent. An intent without an outcome reads as `unknown`. */
export type WriteOutcome = Line & {
  type: "outcome";
  applied: Applied;
  /** Masked; absent if the write was applied. */
  failure?: Failure;
  message?: string;
  /** The HTTP status, if a response arrived. */
  status?: number;
  /** The members of the response that are needed later: its ID, state, hash, nonce, and fees. */
  after?: JsonObject;
  /** Set if a later command found that a temporary change is no longer in place. */
  isOver?: true;
  /** Set if a user said so without proof: the payment may be sent again. `applied` stays `unknown`. */
  assumed?: "not_sent";
  /** Set if a later command found out the outcome. */
  settledLater?: true;
  /** Milliseconds from the intent to the outcome. */
  ms?: number;
};

export type Entry = Intent | WriteOutcome;

export function journalEntryJson(entry: Entry): string {
  const members: JsonObject = entry;
  return writeJson({ time: entry.time, ...members });
}

export interface Journal {
  readonly path: string;
  /**
   * Adds an entry, together with all others that wait. Resolves once the operating system has it, or with `isSynced`
   * once the disk has it. `isFollowed` keeps the lock for a moment, since more entries are expected.
   * @param options.json the result of `journalEntryJson`, if known
   * @throws RelayctlError io if it can't be written; usage if the folder or a file in it can't be trusted
   */
  append(entry: Entry, options?: { isSynced?: boolean; isFollowed?: boolean; json?: string }): Promise<void>;
  /**
   * Returns the entries of all writes with a key, oldest first: the ID of a run, of a write, or of a transaction, a
   * transaction's hash, or a key of `--once`. The intent comes with its outcomes, whichever of them has the key. Takes as
   * long in a large journal as in a small one.
   */
  find(key: string): Promise<readonly Entry[]>;
  /**
   * Yields all entries, newest first.
   * @param since milliseconds since 1970: earlier entries may be left out
   * @param options.mayRound reads faster, and may round numbers above 2^53 and with decimals
   * @param options.runs only yields runs whose IDs start with one of these, and reads faster
   */
  newestFirst(since?: number, options?: { mayRound?: boolean; runs?: ReadonlySet<string> }): AsyncIterable<Entry>;
  /** Reads everything, and compares each line with the digest in the next, and the last with the kept digest. */
  verify(): Promise<Verification>;
  /**
   * Resolves if nothing is missing that the journal acknowledged. Callers that pay, or decide an outcome, because
   * something is not in the journal have to check this first, and ask the user with `acceptLostLines`. Takes as long in
   * a large journal as in a small one, unless another program changed a file since the last time.
   * @param options.isReadOnly leaves the folder as it is, so that the next call takes as long
   * @throws RelayctlError io with what is missing, as `verify` reports it, or why that can't be read
   */
  requireComplete(options?: { isReadOnly?: boolean }): Promise<void>;
  /** A stopped process may wake up next to its successor, which the work must tolerate. @throws conflict; io */
  exclusively<T>(key: string, work: () => Promise<T>): Promise<T>;
  /**
   * Runs long work while no other process runs work for the same key. The lock of a local process that has ended, or was
   * stopped for seconds, is taken over at once. A sender therefore checks after each recorded intent whether it still holds
   * the lease. A process that takes it over reads the journal afterwards and sees the intent, or the holder sees that its
   * lease is gone.
   * @throws RelayctlError conflict if another process has the lease; io if the folder can't be written
   */
  leased<T>(key: string, work: (lease: Lease) => Promise<T>): Promise<T>;
  /** Returns whether the process that recorded an intent runs. A process of another host counts as ended. */
  isRunning(intent: Intent): boolean;
  newId(): string;
  /** Returns a salted fingerprint of a secret, which is only useful within this journal. */
  fingerprint(secret: string): Promise<string>;
}

/** A journal on the disk, which only accepts masked entries. */
export interface MaskedJournal extends Omit<Journal, "append"> {
  append(entry: Masked<Entry>, options?: Parameters<Journal["append"]>[1]): Promise<void>;
}

export interface Lease {
  /** Returns whether no other process has taken it over. */
  isHeld(): boolean;
}

export interface Verification {
  files: number;
  lines: number;
  /** The first line that was changed, removed, or added; line 0 for the whole file. */
  fault?: {
    file: string;
    line: number;
    what: "changed" | "removed" | "added";
    words: string;
    /** Set for a torn last line, which the next write sets aside. */
    isTorn?: true;
  };
}

export type JournalPlace = "user" | "demo" | { folder: string };

export interface RecordedWrite {
  intent: Intent;
  /** The last known outcome, otherwise the last: a later command may have resolved an earlier outcome. */
  outcome?: WriteOutcome;
}

export function appliedOf({ outcome }: RecordedWrite): Applied {
  return outcome?.applied ?? "unknown";
}

/** Yields the writes of a journal, newest first, without starts of payment runs and writes whose intent is missing. */
export async function* walkWrites(
  journal: Journal,
  since?: number,
  options?: Parameters<Journal["newestFirst"]>[1],
): AsyncGenerator<RecordedWrite> {
  const outcomes = new Map<string, WriteOutcome>();
  for await (const entry of journal.newestFirst(since, options)) {
    if (entry.type === "outcome") {
      const later = outcomes.get(entry.id);
      if (!later || (!isKnown(later) && isKnown(entry))) outcomes.set(entry.id, entry);
      continue;
    }
    const outcome = outcomes.get(entry.id);
    outcomes.delete(entry.id);
    if (entry.payments) continue;
    yield { intent: entry, ...(outcome && { outcome }) };
  }
}

export function writesOf(entries: readonly Entry[]): RecordedWrite[] {
  const writes = new Map<string, RecordedWrite>();
  for (const entry of entries) {
    if (entry.type === "intent") {
      if (!entry.payments) writes.set(entry.id, { intent: entry });
    } else {
      const write = writes.get(entry.id);
      if (write && (!write.outcome || isKnown(entry) || !isKnown(write.outcome))) write.outcome = entry;
    }
  }
  return [...writes.values()];
}

/** @throws RelayctlError io if the journal can't be read */
export async function readRunWrites(journal: Journal, run: string): Promise<RecordedWrite[]> {
  return writesOf((await journal.find(run)).filter((entry) => entry.run === run));
}

function isKnown({ applied }: WriteOutcome): boolean {
  return applied !== "unknown";
}

/** Returns whether nothing shows if a write was applied, and its process doesn't wait for it. */
export function isUnsettled(write: RecordedWrite, journal: Pick<Journal, "isRunning">): boolean {
  return appliedOf(write) === "unknown" && !isAwaited(write, journal);
}

/** Returns whether a write without any outcome is in progress: the process that recorded its intent runs. */
export function isAwaited({ intent, outcome }: RecordedWrite, journal: Pick<Journal, "isRunning">): boolean {
  return !outcome && journal.isRunning(intent);
}

/** Returns whether a run may send further writes: a bulk run records outcomes while it runs. */
export function isInProgress(writes: readonly RecordedWrite[], journal: Pick<Journal, "isRunning">): boolean {
  return writes.some(({ intent }) => journal.isRunning(intent));
}

const SHORT = 8;

export async function shortRuns(journal: Journal, runs: Iterable<string>): Promise<(run: string) => string> {
  const known = new Set(runs);
  const starts = runPrefixes(known);
  for await (const { run } of journal.newestFirst(undefined, { mayRound: true, runs: starts })) known.add(run);
  const count = (size: number) => new Set([...known].map((run) => run.slice(0, size))).size;
  let length = SHORT;
  while (count(length) < known.size) length++;
  return (run) => run.slice(0, length);
}

/** Returns the starts of runs that a journal finds their lines by. */
export function runPrefixes(runs: Iterable<string>): ReadonlySet<string> {
  return new Set(Array.from(runs, (run) => run.slice(0, SHORT)));
}
