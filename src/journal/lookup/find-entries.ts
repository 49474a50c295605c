import { readSync } from "node:fs";
import type { JournalFolder, OpenFile } from "../folder.ts";
import { type Head, readHead } from "../head.ts";
import type { Entry } from "../journal.ts";
import { hasKey, mayContain, type Pointed } from "../keys.ts";
import { entryOf } from "../line.ts";
import { bucketName, type KeyMark, type Location, locationsIn, markOf, sumOf } from "./record.ts";

interface Found extends Pointed {
  file: string;
}

interface Opened {
  folder: JournalFolder;
  head: Head | undefined;
  /** The names of the files with lines. */
  months: readonly string[];
}

const MOST_AT_ONCE = 2 ** 20;

export async function findEntries(folder: JournalFolder, key: string): Promise<Entry[]> {
  const found = new Map<string, Found>();
  const opened = { folder, head: (await readHead(folder))?.head, months: await folder.months() };
  await search(opened, new Set([key]), found);
  const writes = new Set([...found.values()].map(({ entry }) => entry.id));
  writes.delete(key);
  if (writes.size > 0) await search(opened, writes, found);
  const inOrder = (a: Found, b: Found) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.offset - b.offset);
  return [...found.values()].sort(inOrder).map(({ entry }) => entry);
}

async function search({ folder, head, months }: Opened, keys: ReadonlySet<string>, found: Map<string, Found>) {
  const located = head && (await locate(folder, head, keys));
  for (const file of months) {
    const open = await folder.open(file, "read");
    if (!open) continue;
    try {
      const pointed = located && entriesAt(open, located.get(file) ?? [], keys);
      const from = pointed ? (head?.files[file]?.indexed ?? 0) : 0;
      // The rest is seldom needed, and its code takes long to load.
      const others = mayContainKey(open, from, keys)
        ? (await import("./search-lines.ts")).searchLines(open, from, keys)
        : [];
      for (const { offset, entry } of [...(pointed ?? []), ...others])
        found.set(`${file} ${offset}`, { file, offset, entry });
    } finally {
      open.close();
    }
  }
}

/** Returns the entries at some locations, or undefined if one of them has another entry: then the file was changed. */
function entriesAt(open: OpenFile, locations: readonly Location[], keys: ReadonlySet<string>): Pointed[] | undefined {
  const entries: Pointed[] = [];
  for (const { offset, length } of locations) {
    const bytes = Buffer.alloc(length);
    const read = readSync(open.descriptor, bytes, 0, length, offset);
    const entry = read < length ? undefined : entryOf(bytes, open.path);
    if (!entry || !hasKey(entry, keys)) return undefined;
    entries.push({ offset, entry });
  }
  return entries;
}

/** Searches the few bytes that no lookup file contains; more are not read at once. */
function mayContainKey({ descriptor, size }: OpenFile, from: number, keys: ReadonlySet<string>): boolean {
  if (size <= from) return false;
  if (size - from > MOST_AT_ONCE) return true;
  const bytes = Buffer.allocUnsafe(size - from);
  return mayContain(bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, from)), keys);
}

async function locate(folder: JournalFolder, head: Head, keys: ReadonlySet<string>) {
  const marks = new Map<number, KeyMark[]>();
  for (const key of keys) {
    const mark = markOf(key);
    marks.set(mark.bucket, [...(marks.get(mark.bucket) ?? []), mark]);
  }
  const located = new Map<string, Location[]>();
  for (const [bucket, wanted] of marks) {
    const locations = await readBucket(folder, head, { bucket, wanted });
    if (!locations) return undefined;
    for (const location of locations) {
      const others = located.get(location.file);
      if (others) others.push(location);
      else located.set(location.file, [location]);
    }
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
  const file = await folder.open(bucketName(bucket), "read");
  if (!file) return undefined;
  try {
    const numbers = new Uint32Array(size / Uint32Array.BYTES_PER_ELEMENT);
    const read = readSync(file.descriptor, numbers, 0, size, 0);
    return read === size && sumOf(numbers) === head.sums[bucket] ? locationsIn(numbers, wanted) : undefined;
  } finally {
    file.close();
  }
}
