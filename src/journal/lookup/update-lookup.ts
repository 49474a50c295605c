import { ftruncateSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeNow } from "../../config/files/open-now.ts";
import { unmasked } from "../../contract/secret-fields.ts";
import type { JournalFolder } from "../folder.ts";
import type { FileHead, Head } from "../head.ts";
import { keysOf } from "../keys.ts";
import { roughEntryOf } from "../line.ts";
import { readLines } from "../read-lines.ts";
import { addRecord, BUCKETS, bucketName, LOOKUP, markOf, NO_SUM, sumOf } from "./record.ts";

/** Lines that no lookup file contains are searched, which is faster than to update the files with each line. */
const MOST_SEARCHED = 2 ** 20;
/** The most that is added at a time, since other processes wait. */
const MOST_ADDED = 2 * 2 ** 20;

/** Adds the keys of many older lines to the lookup files. Changes the head, which decides how much counts. */
export async function updateLookup(folder: JournalFolder, head: Head): Promise<void> {
  const missing = Object.values(head.files).reduce((sum, { bytes, indexed }) => sum + bytes - indexed, 0);
  if (missing < MOST_SEARCHED) return;
  mkdirSync(join(folder.path, LOOKUP), { recursive: true, mode: 0o700 });
  let room = MOST_ADDED;
  const records = Array.from({ length: BUCKETS }, (): number[] => []);
  const reached = new Map<string, number>();
  for (const [name, file] of Object.entries(head.files)) {
    if (room <= 0 || file.indexed >= file.bytes) continue;
    const end = await collect(folder, name, { file, room, records });
    reached.set(name, end);
    room -= end - file.indexed;
  }
  if (!(await appendRecords(folder, head, records))) return startOver(folder, head);
  for (const [name, end] of reached) {
    const file = head.files[name];
    if (file) file.indexed = end;
  }
}

interface Collected {
  file: FileHead;
  room: number;
  /** The new records of each lookup file. */
  records: number[][];
}

/** @returns the position up to which lines were read */
async function collect(folder: JournalFolder, name: string, { file, room, records }: Collected): Promise<number> {
  const open = await folder.open(name, "read");
  if (!open) return file.bytes;
  try {
    let end = file.indexed;
    for (const line of readLines(open.descriptor, file.indexed, Math.min(file.bytes, open.size))) {
      if (!line.isComplete || end - file.indexed >= room) return end;
      end = line.offset + line.length + 1;
      const entry = line.isTooLong ? undefined : roughEntryOf(line.bytes, open.path);
      for (const key of entry ? keysOf(entry) : []) {
        const mark = markOf(key);
        addRecord(records[mark.bucket] ?? [], mark, { file: name, offset: line.offset, length: line.length });
      }
    }
    return end;
  } finally {
    open.close();
  }
}

/** @returns false if a lookup file was damaged */
async function appendRecords(folder: JournalFolder, head: Head, records: readonly number[][]): Promise<boolean> {
  const sizes = [...head.lookup];
  const sums = [...head.sums];
  for (const [bucket, numbers] of records.entries()) {
    if (numbers.length === 0) continue;
    const bytes = new Uint8Array(Uint32Array.from(numbers).buffer);
    const size = sizes[bucket] ?? 0;
    const file = await folder.open(bucketName(bucket), "append");
    if (!file) return false;
    try {
      if (file.size < size) return false;
      // A process was killed before it could write the head: its records are added again.
      if (file.size > size) ftruncateSync(file.descriptor, size);
      if (writeNow(file.descriptor, unmasked(bytes)) < bytes.length) return false;
      sizes[bucket] = size + bytes.length;
      sums[bucket] = sumOf(numbers, sums[bucket]);
    } finally {
      file.close();
    }
  }
  head.lookup = Array.from({ length: BUCKETS }, (_, bucket) => sizes[bucket] ?? 0);
  head.sums = Array.from({ length: BUCKETS }, (_, bucket) => sums[bucket] ?? NO_SUM);
  return true;
}

function startOver(folder: JournalFolder, head: Head): void {
  rmSync(join(folder.path, LOOKUP), { recursive: true, force: true });
  head.lookup = [];
  head.sums = [];
  for (const file of Object.values(head.files)) file.indexed = 0;
}
