import type { Masked } from "../contract/secret-fields.ts";
import type { Entry, Intent } from "./entry.ts";

export interface Journal {
  readonly path: string;
  /**
   * Adds an entry, together with all others that wait at that moment. Resolves once the operating system has it, or with
   * `isSynced` once the disk has it. `isFollowed` keeps the lock for a moment, since more entries are expected.
   * @param options.json the result of `entryJson`, if it is known
   * @throws RelayctlError io if it cannot be written; usage if the folder or a file in it cannot be trusted
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
   * @param options.mayRound reads faster, and numbers above 2^53 and with decimals may be rounded
   * @param options.runs leaves out the entries of runs whose IDs start with none of these, and reads faster
   */
  newestFirst(since?: number, options?: { mayRound?: boolean; runs?: ReadonlySet<string> }): AsyncIterable<Entry>;
  /** Reads everything, and compares each line with the digest in the next one, and the last one with the kept digest. */
  verify(): Promise<Verification>;
  /**
   * Resolves if nothing is missing that the journal acknowledged. Whoever would pay, or decides an outcome, because the
   * journal does not contain something asks this first, and the user with `acceptLostLines`. Takes as long in a large
   * journal as in a small one, unless a file was changed since the last time by anything but this program.
   * @param options.isReadOnly leaves the folder as it is, so that the next call takes as long
   * @throws RelayctlError io with what is missing, as `verify` reports it, or why that cannot be read
   */
  requireComplete(options?: { isReadOnly?: boolean }): Promise<void>;
  /**
   * Runs work while no other process runs work for the same key. A process that was stopped for seconds may wake up next to
   * the next one: the work must tolerate that.
   * @throws RelayctlError conflict if another process keeps the key; io if the folder cannot be written
   */
  exclusively<T>(key: string, work: () => Promise<T>): Promise<T>;
  /**
   * Runs work that takes long while no other process runs work for the same key. The lock of a process of this machine that
   * has ended is taken over at once, and that of one that was stopped for seconds as well: so whoever sends asks after each
   * recorded intent whether the lease is still held. A process that takes it over reads the journal after that, and sees
   * the intent, or else the holder sees that its lease is gone.
   * @throws RelayctlError conflict if another process has the lease; io if the folder cannot be written
   */
  leased<T>(key: string, work: (lease: Lease) => Promise<T>): Promise<T>;
  /** Returns whether the process that recorded an intent runs. One on another host counts as ended. */
  isRunning(intent: Intent): boolean;
  newId(): string;
  /** Returns a salted fingerprint of a secret: the same for the same secret in this journal, and useless elsewhere. */
  fingerprint(secret: string): Promise<string>;
}

/** A journal on the disk, which takes what contains no secret. */
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
  /** The first line that was changed, removed, or added; line 0 if it is about the whole file. */
  fault?: {
    file: string;
    line: number;
    what: "changed" | "removed" | "added";
    words: string;
    /** Set for a last line without its line break, which the next write sets aside. */
    isTorn?: true;
  };
}

export type JournalPlace = "user" | "demo" | { folder: string };
