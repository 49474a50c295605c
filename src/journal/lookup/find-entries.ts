import { readFileSync, readSync } from "node:fs";
import type { Entry } from "../entry.ts";
import type { JournalFolder, OpenFile } from "../folder.ts";
import { type Head, readHead } from "../head.ts";
import { keysOf } from "../keys.ts";
import { entryOf } from "../line.ts";
import { readLines } from "../read-lines.ts";
import { type Location, locationsIn, markOf } from "./record.ts";
import { bucketName } from "./update-lookup.ts";

/** An entry, and where it is in its file. */
interface Pointed {
  offset: number;
  entry: Entry;
}

interface Found extends Pointed {
  file: string;
}

/** With more keys, to parse each line is faster than to search it for each key. */
const MOST_SEARCHED = 8;

/**
 * Returns the entries with a key, and for each of them all entries of the same write, oldest first. The intent of a new
 * transaction does not have its ID yet, and only one of its outcomes may.
 */
export async function findEntries(folder: JournalFolder, key: string): Promise<Entry[]> {
  const found = new Map<string, Found>();
  await search(folder, new Set([key]), found);
  const writes = new Set([...found.values()].map(({ entry }) => entry.id));
  writes.delete(key);
  if (writes.size > 0) await search(folder, writes, found);
  const inOrder = (a: Found, b: Found) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.offset - b.offset);
  return [...found.values()].sort(inOrder).map(({ entry }) => entry);
}

async function search(folder: JournalFolder, keys: ReadonlySet<string>, found: Map<string, Found>): Promise<void> {
  const head = await readHead(folder);
  const located = head && (await locate(folder, head, keys));
  for (const file of await folder.months()) {
    const open = await folder.open(file, "read");
    if (!open) continue;
    try {
      const pointed = located && entriesAt(open, located.get(file) ?? [], keys);
      const from = pointed ? (head?.files[file]?.indexed ?? 0) : 0;
      for (const { offset, entry } of [...(pointed ?? []), ...entriesFrom(open, from, keys)])
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

function entriesFrom(open: OpenFile, from: number, keys: ReadonlySet<string>): Pointed[] {
  const entries: Pointed[] = [];
  for (const { offset, bytes, isTooLong, isComplete } of readLines(open.descriptor, from, open.size)) {
    if (isTooLong || !isComplete || !mayContain(bytes, keys)) continue;
    const entry = entryOf(bytes, open.path);
    if (entry && hasKey(entry, keys)) entries.push({ offset, entry });
  }
  return entries;
}

function hasKey(entry: Entry, keys: ReadonlySet<string>): boolean {
  return keysOf(entry).some((key) => keys.has(key));
}

/** Returns what the lookup files contain for the keys, by file, or undefined if one of them is missing or damaged. */
async function locate(
  folder: JournalFolder,
  head: Head,
  keys: ReadonlySet<string>,
): Promise<Map<string, Location[]> | undefined> {
  const digests = new Map<number, Set<string>>();
  for (const key of keys) {
    const { bucket, digest } = markOf(key);
    digests.set(bucket, (digests.get(bucket) ?? new Set()).add(digest));
  }
  const located = new Map<string, Location[]>();
  for (const [bucket, wanted] of digests) {
    const locations = await readBucket(folder, bucket, { size: head.lookup[bucket] ?? 0, wanted });
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
  bucket: number,
  { size, wanted }: { size: number; wanted: ReadonlySet<string> },
): Promise<Location[] | undefined> {
  if (size === 0) return [];
  const file = await folder.open(bucketName(bucket), "read");
  if (!file) return undefined;
  try {
    const bytes = readFileSync(file.descriptor);
    return bytes.length < size ? undefined : locationsIn(bytes.subarray(0, size), wanted);
  } finally {
    file.close();
  }
}

/** A key that JSON writes with escapes cannot be searched in its bytes. */
function mayContain(bytes: Buffer, keys: ReadonlySet<string>): boolean {
  if (keys.size > MOST_SEARCHED) return true;
  for (const key of keys) if (!/^[ !#-[\]-~]*$/.test(key) || bytes.includes(key)) return true;
  return false;
}
