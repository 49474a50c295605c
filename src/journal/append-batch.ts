import { fstatSync, ftruncateSync, writeSync } from "node:fs";
import { catchUp, newFileHead } from "./catch-up.ts";
import { digestOf } from "./digest.ts";
import type { Entry } from "./entry.ts";
import type { JournalFolder, OpenFile } from "./folder.ts";
import { type FileHead, type Head, readHead, writeHead } from "./head.ts";
import { lineOf } from "./line.ts";
import { updateLookup } from "./lookup/update-lookup.ts";
import { syncToDisk } from "./sync.ts";

/** An entry that waits to be written. */
export interface Waiting {
  entry: Entry;
  isSynced: boolean;
  resolve(): void;
  reject(error: unknown): void;
}

const ATTEMPTS = 20;
const MONTH = /^\d{4}-\d{2}/;

/** Appends entries in their order, under the lock, and settles each of them. */
export async function appendBatch(folder: JournalFolder, waiting: readonly Waiting[], unique: string): Promise<void> {
  // A head is written before the first line, so months without one show that it was removed.
  const isNew = (await folder.months()).length === 0;
  const stored = await readHead(folder);
  const head: Head = stored ?? { version: 1, files: {}, lookup: [], sums: [], ...(!isNew && { lost: true }) };
  await catchUp(folder, head);
  if (!stored) writeHead(folder, head, unique);
  const results: Result[] = [];
  for (const [name, part] of byFile(waiting)) results.push(...(await appendToFile(folder, head, { name, part })));
  try {
    await updateLookup(folder, head);
    writeHead(folder, head, unique);
  } catch {
    // The lines are there, and the next writer adopts them.
  }
  for (const { one, problem } of results) {
    if (problem === undefined) one.resolve();
    else one.reject(problem);
  }
}

interface Result {
  one: Waiting;
  problem?: unknown;
}

function byFile(waiting: readonly Waiting[]): Map<string, Waiting[]> {
  const files = new Map<string, Waiting[]>();
  for (const one of waiting) {
    const month = MONTH.exec(one.entry.time)?.[0];
    if (month === undefined) throw new RangeError(`not a time: ${one.entry.time}`);
    const name = `${month}.ndjson`;
    const others = files.get(name);
    if (others) others.push(one);
    else files.set(name, [one]);
  }
  return files;
}

interface Part {
  name: string;
  part: readonly Waiting[];
}

async function appendToFile(folder: JournalFolder, head: Head, { name, part }: Part): Promise<Result[]> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const known = head.files[name] ?? newFileHead();
    const file = await folder.open(name, "append");
    if (!file) break;
    try {
      // Otherwise another process took over the lock, because this one was stopped for long. Checked just before the write.
      if (fstatSync(file.descriptor).size === known.bytes) {
        const { results, reached } = await appendLines(folder, file, { part, known });
        head.files[name] = reached;
        return results;
      }
    } finally {
      file.close();
    }
    await catchUp(folder, head);
  }
  throw Object.assign(new Error("other processes keep writing"), { code: "EBUSY" });
}

interface Appending {
  part: readonly Waiting[];
  known: FileHead;
}

/** Appends the lines in one piece. On a full disk, only whole lines stay. */
async function appendLines(
  folder: JournalFolder,
  file: OpenFile,
  { part, known }: Appending,
): Promise<{ results: Result[]; reached: FileHead }> {
  const lines = chained(part, known.digest);
  const { written, problem } = write(file, Buffer.concat(lines));
  const results: Result[] = [];
  const reached = { ...known };
  for (const [index, one] of part.entries()) {
    const line = lines[index];
    if (!line || reached.bytes + line.length > known.bytes + written) {
      results.push({ one, problem });
      continue;
    }
    reached.lines++;
    reached.bytes += line.length;
    reached.digest = digestOf(line);
    results.push({ one });
  }
  // Bytes of another process are not cut off.
  if (problem && fstatSync(file.descriptor).size === known.bytes + written)
    ftruncateSync(file.descriptor, reached.bytes);
  if (results.some(({ one, problem }) => one.isSynced && problem === undefined))
    await syncToDisk(folder, file, known.bytes === 0);
  return { results, reached };
}

function chained(part: readonly Waiting[], digest: string): Buffer[] {
  let prev = digest;
  return part.map(({ entry }) => {
    const line = lineOf(entry, prev);
    prev = digestOf(line);
    return line;
  });
}

function write({ descriptor }: OpenFile, bytes: Buffer): { written: number; problem?: unknown } {
  try {
    const written = writeSync(descriptor, bytes);
    if (written === bytes.length) return { written };
    return { written, problem: Object.assign(new Error("only a part was written"), { code: "ENOSPC" }) };
  } catch (problem) {
    return { written: 0, problem };
  }
}
