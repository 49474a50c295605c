import { readSync } from "node:fs";
import { fileError } from "../config/files/file-error.ts";
import type { LockWorld } from "../config/files/lock.ts";
import type { Owner } from "../config/files/privacy.ts";
import { addToGroup, groupBy } from "../contract/group-by.ts";
import { RelayctlError } from "../errors.ts";
import { createJournalFolder, type JournalFolder, type OpenFile, withFolderFile } from "./folder.ts";
import { type Head, readJournalHead } from "./head.ts";
import type { Entry, Intent, Journal, MaskedJournal } from "./journal.ts";
import { hasEntryKey, mayHaveEntryKey, type Pointed } from "./keys.ts";
import type { Processes } from "./lease.ts";
import { lineEntry, lineTime, MAX_LINE_BYTES, parseRoundedLine } from "./line.ts";
import { bucketPath, type KeyMark, type Location, lookupLocations, lookupMark, lookupSum } from "./lookup/record.ts";

interface Found extends Pointed {
  file: string;
}

interface Opened {
  folder: JournalFolder;
  head: Head | undefined;
  months: readonly string[];
}

const MOST_AT_ONCE = 2 ** 20;

async function findEntries(folder: JournalFolder, key: string): Promise<Entry[]> {
  const found = new Map<string, Found>();
  const opened = { folder, head: (await readJournalHead(folder))?.head, months: await folder.months() };
  await searchMonths(opened, new Set([key]), found);
  const writes = new Set([...found.values()].map(({ entry }) => entry.id));
  writes.delete(key);
  if (writes.size > 0) await searchMonths(opened, writes, found);
  const inOrder = (a: Found, b: Found) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.offset - b.offset);
  return [...found.values()].sort(inOrder).map(({ entry }) => entry);
}

async function searchMonths({ folder, head, months }: Opened, keys: ReadonlySet<string>, found: Map<string, Found>) {
  const located = head && (await locateKeys(folder, head, keys));
  for (const file of months) {
    const open = await folder.open(file, "read");
    if (!open) continue;
    try {
      const pointed = located && entriesAt(open, located.get(file) ?? [], keys);
      const from = pointed ? (head?.files[file]?.indexed ?? 0) : 0;
      // Rarely needed, and slow to load.
      const others = mayContainKey(open, from, keys)
        ? (await import("./lookup/search-lines.ts")).searchLines(open, from, keys)
        : [];
      for (const { offset, entry } of [...(pointed ?? []), ...others])
        found.set(`${file} ${offset}`, { file, offset, entry });
    } finally {
      open.close();
    }
  }
}

function entriesAt(open: OpenFile, locations: readonly Location[], keys: ReadonlySet<string>): Pointed[] | undefined {
  const entries: Pointed[] = [];
  for (const { offset, length } of locations) {
    const bytes = Buffer.alloc(length);
    const read = readSync(open.descriptor, bytes, 0, length, offset);
    const entry = read < length ? undefined : lineEntry(bytes, open.path);
    if (!entry || !hasEntryKey(entry, keys)) return undefined;
    entries.push({ offset, entry });
  }
  return entries;
}

/** Searches the few bytes that no lookup file contains; more are never read at once. */
function mayContainKey({ descriptor, size }: OpenFile, from: number, keys: ReadonlySet<string>): boolean {
  if (size <= from) return false;
  if (size - from > MOST_AT_ONCE) return true;
  const bytes = Buffer.allocUnsafe(size - from);
  return mayHaveEntryKey(bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, from)), keys);
}

async function locateKeys(folder: JournalFolder, head: Head, keys: ReadonlySet<string>) {
  const marks = groupBy([...keys].map(lookupMark), ({ bucket }) => bucket);
  const located = new Map<string, Location[]>();
  for (const [bucket, wanted] of marks) {
    const locations = await readBucket(folder, head, { bucket, wanted });
    if (!locations) return undefined;
    for (const location of locations) addToGroup(located, location.file, location);
  }
  return located;
}

async function readBucket(
  folder: JournalFolder,
  head: Head,
  { bucket, wanted }: { bucket: number; wanted: readonly KeyMark[] },
): Promise<Location[] | undefined> {
  const size = head.lookup[bucket] ?? 0;
  if (size === 0) return [];
  return await withFolderFile(folder, bucketPath(bucket), "read", (file) => {
    const numbers = new Uint32Array(size / Uint32Array.BYTES_PER_ELEMENT);
    const read = readSync(file.descriptor, numbers, 0, size, 0);
    return read === size && lookupSum(numbers) === head.sums[bucket] ? lookupLocations(numbers, wanted) : undefined;
  });
}

const BLOCK = 256 * 2 ** 10;
const NEWLINE = 0x0a;

/** Yields the complete lines before a position, last line first, without lines that are too long. */
function* readBackwards(descriptor: number, size: number): Generator<Buffer> {
  /** The parts of a line whose start is not read yet, in their order; undefined without a line break. */
  let parts: Buffer[] | undefined;
  let length = 0;
  const take = (part: Buffer) => {
    length += part.length;
    if (parts && length <= MAX_LINE_BYTES) parts.unshift(Buffer.from(part));
    else if (parts) parts = [];
  };
  const taken = () => (parts && length <= MAX_LINE_BYTES ? Buffer.concat(parts) : undefined);
  for (let end = size; end > 0; ) {
    const from = Math.max(0, end - BLOCK);
    const block = wholeBlock(descriptor, from, end - from);
    let upTo = block.length;
    for (;;) {
      const newline = upTo === 0 ? -1 : block.lastIndexOf(NEWLINE, upTo - 1);
      take(block.subarray(newline + 1, upTo));
      if (newline < 0) break;
      const line = taken();
      if (line) yield line;
      parts = [];
      length = 0;
      upTo = newline;
    }
    end = from;
  }
  const first = taken();
  if (first) yield first;
}

function wholeBlock(descriptor: number, from: number, length: number): Buffer {
  const block = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const read = readSync(descriptor, block, filled, length - filled, from + filled);
    // A file that was cut off meanwhile ends here.
    if (read === 0) break;
    filled += read;
  }
  return block.subarray(0, filled);
}

export interface JournalOptions extends Omit<Owner, "variable"> {
  /** An absolute path; the first entry creates the folder. */
  path: string;
  surroundings: LockWorld;
  /** With them, an ended process's lease is taken over at once. */
  processes?: Processes;
}

const NO_PROCESSES: Processes = { own: 0, host: () => "", isRunning: () => true };

/** Opens the journal in a folder. Reading takes no lock and writes nothing. */
export function openJournal({ path, surroundings, processes = NO_PROCESSES, ...owner }: JournalOptions): MaskedJournal {
  const folder = createJournalFolder(path, { ...owner, variable: "RELAYCTL_JOURNAL" });
  const reading = <T>(read: Promise<T>): Promise<T> =>
    read.catch((error: unknown) => {
      throw fileError(path, "read", error);
    });
  // A command that only looks up a transaction needs neither this code nor Node's hashes.
  let append: Promise<MaskedJournal["append"]> | undefined;
  let fingerprint: Promise<Journal["fingerprint"]> | undefined;
  return {
    path,
    append: async (entry, options) => {
      append ??= import("./appender.ts").then((module) => module.createAppender(folder, surroundings));
      await (await append)(entry, options);
    },
    find: (key) => reading(findEntries(folder, key)),
    newestFirst: (since = Number.NEGATIVE_INFINITY, { mayRound = false, runs } = {}) => {
      const parse = mayRound ? parseRoundedLine : lineEntry;
      return newestFirst(folder, since, runs === undefined ? parse : parseRuns(runs, parse));
    },
    exclusively: async (key, work) => {
      const { createKeyLock } = await import("./lease.ts");
      return await createKeyLock(folder, surroundings)(key, work);
    },
    leased: async (key, work) => {
      const { createLease } = await import("./lease.ts");
      return await createLease(folder, surroundings, processes)(key, work);
    },
    isRunning: (intent) => isJournalProcessRunning(intent, processes),
    newId: () => surroundings.random.uuid(),
    verify: async () => (await reading((await import("./completeness/verify.ts")).verifyJournal(folder))).found,
    requireComplete: async (options = {}) => {
      try {
        const { requireComplete } = await import("./completeness/require-complete.ts");
        await reading(requireComplete(folder, surroundings, options));
      } catch (error) {
        throw error instanceof RelayctlError && error.failure !== "interrupted" ? error.with({ failure: "io" }) : error;
      }
    },
    fingerprint: async (secret) => {
      fingerprint ??= import("./fingerprint.ts").then((module) => module.createFingerprint(folder, surroundings));
      return await (await fingerprint)(secret);
    },
  };
}

async function* newestFirst(folder: JournalFolder, since: number, parse: typeof parseRoundedLine) {
  const first = Number.isFinite(since) ? new Date(since).toISOString() : "";
  try {
    for (const name of (await folder.months()).toReversed()) {
      if (name < first.slice(0, "2026-11".length)) return;
      yield* readNewest(await folder.open(name, "read"), first, parse);
    }
  } catch (error) {
    throw fileError(folder.path, "read", error);
  }
}

function* readNewest(file: OpenFile | undefined, first: string, parse: typeof parseRoundedLine): Generator<Entry> {
  if (!file) return;
  try {
    for (const line of readBackwards(file.descriptor, file.size)) {
      if ((lineTime(line) ?? first) < first) continue;
      const entry = parse(line, file.path);
      if (entry && entry.time >= first) yield entry;
    }
  } finally {
    file.close();
  }
}

/** Returns the same for the lines of some runs: it only parses lines that contain the start of an ID. */
function parseRuns(starts: ReadonlySet<string>, parse: typeof parseRoundedLine): typeof parseRoundedLine {
  const lengths = new Set([...starts].map((start) => start.length));
  return (line, path) => {
    const at = line.indexOf(RUN) + RUN.length;
    const isOne = (text: string) => [...lengths].some((length) => starts.has(text.slice(0, length)));
    if (at >= RUN.length && !isOne(line.toString("utf8", at, at + LONGEST_ID))) return undefined;
    const entry = parse(line, path);
    return entry && isOne(entry.run) ? entry : undefined;
  };
}

const RUN = '"run":"';
const LONGEST_ID = 36;

/** Returns whether the process of an intent runs on this machine, not a later process with its ID. */
export function isJournalProcessRunning(
  { pid, host, started }: Intent,
  { host: ownHost, isRunning: runs, startOf = () => undefined }: Processes,
): boolean {
  return pid !== undefined && host === ownHost() && runs(pid) && startOf(pid) === started;
}
