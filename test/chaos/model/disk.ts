import { RelayctlError } from "../../../src/errors.ts";
import type { Entry, Journal, Lease } from "../../../src/journal/journal.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";
import { type Chance, createChance } from "../../safety/fuzz/chance.ts";
import { alive, counted, type Ran } from "../program.ts";
import type { Timeline } from "./timeline.ts";

/** The disk with the journal, which outlives every program. */
export interface Disk {
  /** Everything that reached the disk, oldest first. */
  readonly entries: readonly Entry[];
  /** The run that wrote an intent, and how many attempts it had made by then. */
  readonly writers: ReadonlyMap<string, { ran: Ran; attempts: number }>;
  /** Whether nothing more can be written. */
  isFull: boolean;
  /** Makes every later call succeed. */
  mend(): void;
  /** What failed, and how often. */
  readonly counts: Readonly<Record<string, number>>;
  journalFor: (ran: Ran) => Journal;
}

/** Milliseconds that an append takes at most. */
const LONGEST_APPEND = 20;
/** Milliseconds that a read takes at most. */
const LONGEST_READ = 30;
/** Milliseconds between two checks of a lock, and how many checks there are. */
const LOCK = { poll: 500, looks: 8 };
/** Of so many locks that are held, one is taken over, since its holder was stopped for long. */
const TAKEN_OVER = 20;
/** Of so many leases that are held, likewise. */
const LEASE_TAKEN_OVER = 3;
/** Of so many appends, one fails on its own. */
const FAILS = 200;

/** A life has about so many calls of the disk; of so many lives, one has a call that fails. */
const [CALLS, FAILING] = [60, 4];

/** @param isDeceived whether a call of the disk may fail, once or from then on, at a moment that chance decides */
export function createDisk(timeline: Timeline, seed: number, isDeceived: boolean): Disk {
  // Its own chance: what it decides does not change the rest of the life.
  const chance: Chance = createChance(Math.imul(seed + 1, 0x85ebca6b));
  const memory = memoryJournal();
  const writers = new Map<string, { ran: Ran; attempts: number }>();
  const holders = new Map<string, Ran>();
  const leases = new Map<string, Ran>();
  const pass = (time: number) => new Promise<void>((resolve) => void timeline.wakeAfter(time, resolve));

  const own: Chance = createChance(Math.imul(seed + 1, 0x27d4eb2f));
  const failing = isDeceived && own.once(FAILING) ? { call: own.below(CALLS), lasts: own.once(2) } : undefined;
  const room = own.pick([5_000, 60_000, 300_000]);
  const counts: Record<string, number> = {};
  let calls = 0;
  let isMended = false;

  /** Whether the next call fails: the n-th, or all from then on until there is room again. */
  function fails(what: string): boolean {
    const isReached = failing && !isMended && (failing.lasts ? calls >= failing.call : calls === failing.call);
    calls++;
    if (!isReached) return false;
    if (!counts["disks that fail"]) timeline.after(room, disk.mend);
    counts["disks that fail"] = 1;
    counts[`disk: ${what} fails`] = (counts[`disk: ${what} fails`] ?? 0) + 1;
    return true;
  }

  const failure = () => new RelayctlError("io", "journal: no space left on the device");

  /** A program that is killed leaves a whole line, or none. */
  async function append(entry: Entry, ran: Ran): Promise<void> {
    const time = 1 + chance.below(LONGEST_APPEND);
    const written = chance.below(time);
    const isUnlucky = chance.once(FAILS) && !isMended;
    const isLost = disk.isFull || isUnlucky || fails("a write");
    // The line is whole, but nothing says that it will last.
    const isUnsure = !isLost && fails("a sync");
    const keep = () => {
      if (isLost || ran.isKilled) return;
      void memory.append(entry);
      ran.entries.push({ entry, attempts: ran.attempts.length, isUnsure });
      if (entry.type === "intent") writers.set(entry.id, { ran, attempts: ran.attempts.length });
    };
    timeline.after(written, keep);
    await alive(await pass(time), () => !ran.isKilled);
    if (isLost || isUnsure) throw failure();
  }

  async function exclusively<T>(key: string, ran: Ran, work: () => Promise<T>): Promise<T> {
    const isHeld = () => holders.get(key)?.isKilled === false && !chance.once(TAKEN_OVER);
    for (let looks = LOCK.looks; isHeld(); looks--) {
      if (looks === 0)
        throw new RelayctlError("conflict", "journal: another process keeps the key", { retryable: true });
      await counted(ran, pass(LOCK.poll));
      await alive(undefined, () => !ran.isKilled);
    }
    if (fails("a lock")) throw failure();
    holders.set(key, ran);
    try {
      return await work();
    } finally {
      if (holders.get(key) === ran) holders.delete(key);
    }
  }

  /** A killed program's lease is taken over at once, and a stopped program's lease rarely. */
  async function leased<T>(key: string, ran: Ran, work: (lease: Lease) => Promise<T>): Promise<T> {
    const isTaken = leases.get(key)?.isKilled === false && !chance.once(LEASE_TAKEN_OVER);
    if (isTaken) throw new RelayctlError("conflict", "journal: another process has the lease", { retryable: true });
    if (fails("a lease")) throw failure();
    leases.set(key, ran);
    try {
      return await work({ isHeld: () => leases.get(key) === ran });
    } finally {
      if (leases.get(key) === ran) leases.delete(key);
    }
  }

  async function reading(ran: Ran): Promise<void> {
    await counted(ran, pass(1 + chance.below(LONGEST_READ)));
    await alive(undefined, () => !ran.isKilled);
    if (fails("a read")) throw failure();
  }

  async function* newestFirst(ran: Ran, since?: number): AsyncGenerator<Entry> {
    await reading(ran);
    yield* memory.newestFirst(since);
  }

  const disk: Disk = {
    entries: memory.entries,
    writers,
    isFull: false,
    counts,
    mend() {
      isMended = true;
    },
    journalFor: (ran) => ({
      ...memory,
      append: (entry) => counted(ran, append(entry, ran)),
      find: (key) => reading(ran).then(() => memory.find(key)),
      newestFirst: (since) => newestFirst(ran, since),
      exclusively: (key, work) => exclusively(key, ran, work),
      leased: (key, work) => leased(key, ran, work),
    }),
  };
  return disk;
}
