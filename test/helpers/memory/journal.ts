import { createHash } from "node:crypto";
import { RelayctlError } from "../../../src/errors.ts";
import type { Entry, Intent, Journal, WriteOutcome } from "../../../src/journal/journal.ts";
import { entryKeys } from "../../../src/journal/keys.ts";

/** A journal in memory, which several runs can share. */
export interface MemoryJournal extends Journal {
  /** Everything that was appended, oldest first. */
  readonly entries: Entry[];
  readonly synced: Entry[];
  readonly running: Set<number>;
}

export interface MemoryJournalOptions {
  /** Its folder (default: `journal`). */
  path?: string;
  /** What the journal contains already, oldest first. */
  entries?: readonly Entry[];
  /** What the write of an entry rejects with, e.g. a full disk; undefined if it succeeds. */
  fault?: (entry: Entry) => Error | undefined;
}

export function memoryJournal({
  path = "journal",
  entries: before = [],
  fault,
}: MemoryJournalOptions = {}): MemoryJournal {
  const entries: Entry[] = [...before];
  const synced: Entry[] = [];
  const held = new Map<string, Promise<unknown>>();
  const leases = new Map<string, object>();
  const running = new Set<number>();
  let ids = 0;
  return {
    path,
    entries,
    synced,
    running,
    async append(entry, { isSynced = false } = {}) {
      const problem = fault?.(entry);
      if (problem) throw problem;
      entries.push(entry);
      if (isSynced) synced.push(entry);
    },
    async find(key) {
      const writes = new Set(entries.filter((entry) => entryKeys(entry).includes(key)).map(({ id }) => id));
      return entries.filter(({ id }) => writes.has(id));
    },
    async *newestFirst(since = Number.NEGATIVE_INFINITY, { runs } = {}) {
      for (const entry of entries.toReversed())
        if (
          !(Date.parse(entry.time) < since) &&
          (runs === undefined || [...runs].some((start) => entry.run.startsWith(start)))
        )
          yield entry;
    },
    async exclusively(key, work) {
      const before = held.get(key) ?? Promise.resolve();
      const mine = before.then(work, work);
      held.set(key, mine);
      return await mine;
    },
    async leased(key, work) {
      if (leases.has(key)) throw new RelayctlError("conflict", `${key} is in use`);
      const lease = {};
      leases.set(key, lease);
      try {
        return await work({ isHeld: () => leases.get(key) === lease });
      } finally {
        if (leases.get(key) === lease) leases.delete(key);
      }
    },
    isRunning: ({ pid }) => pid !== undefined && running.has(pid),
    newId: () => `10000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`,
    async requireComplete() {
      const { fault: damage } = await this.verify();
      if (damage && !damage.isTorn)
        throw new RelayctlError("io", `the journal was damaged: ${damage.file}: ${damage.words}`);
    },
    verify: async () => ({ files: entries.length > 0 ? 1 : 0, lines: entries.length }),
    fingerprint: async (secret) => `hmac:${createHash("sha256").update(`salt ${secret}`).digest("hex").slice(0, 16)}`,
  };
}

export function intentsIn({ journal }: { journal: MemoryJournal }): Intent[] {
  return journal.entries.filter((entry) => entry.type === "intent");
}

export function outcomesIn({ journal }: { journal: MemoryJournal }): WriteOutcome[] {
  return journal.entries.filter((entry) => entry.type === "outcome");
}
