import { hash } from "node:crypto";
import { closeSync, fdatasync, fstatSync, ftruncateSync, mkdirSync, readSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileErrorCode } from "../config/files/file-error.ts";
import { openNow, writeNow } from "../config/files/read-now.ts";
import { syncFolder } from "../config/files/sync-folder.ts";
import { groupBy } from "../contract/group-by.ts";
import { receivedTime } from "../contract/reply/received-time.ts";
import { type Masked, markMasked } from "../contract/secret-fields.ts";
import { RelayctlError } from "../errors.ts";
import { DAY } from "./created-in-time.ts";
import { type JournalFolder, type OpenFile, withFolderFile } from "./folder.ts";
import {
  blockOldJournalWriters,
  type FileHead,
  type Head,
  hasHeadTraces,
  headFacts,
  headSeal,
  readJournalHead,
  writeJournalHead,
} from "./head.ts";
import type { Entry } from "./journal.ts";
import { entryKeys } from "./keys.ts";
import { journalLine, lineJson, NO_DIGEST, parseRoundedLine } from "./line.ts";
import { addLookupRecord, BUCKETS, bucketPath, LOOKUP, lookupMark, lookupSum, NO_SUM } from "./lookup/record.ts";
import { readLines } from "./read-lines.ts";

/** Lines that no lookup file contains are searched, which is faster than to update the files with each line. */
const MOST_SEARCHED = 2 ** 20;
/** Limited, since other processes wait. */
const MOST_ADDED = 2 * 2 ** 20;

/** Adds the keys of many older lines to the lookup files, and changes the head, which decides how much counts. */
async function updateLookup(folder: JournalFolder, head: Head): Promise<void> {
  const missing = Object.values(head.files).reduce((sum, { bytes, indexed }) => sum + bytes - indexed, 0);
  if (missing < MOST_SEARCHED) return;
  mkdirSync(join(folder.path, LOOKUP), { recursive: true, mode: 0o700 });
  let room = MOST_ADDED;
  const records = Array.from({ length: BUCKETS }, (): number[] => []);
  const reached = new Map<string, number>();
  for (const [name, file] of Object.entries(head.files)) {
    if (room <= 0 || file.indexed >= file.bytes) continue;
    const end = await collectBatch(folder, name, { file, room, records });
    reached.set(name, end);
    room -= end - file.indexed;
  }
  if (!(await appendRecords(folder, head, records))) return resetLookup(folder, head);
  for (const [name, end] of reached) {
    const file = head.files[name];
    if (file) file.indexed = end;
  }
}

async function collectBatch(
  folder: JournalFolder,
  name: string,
  { file, room, records }: { file: FileHead; room: number; records: number[][] },
): Promise<number> {
  const open = await folder.open(name, "read");
  if (!open) return file.bytes;
  try {
    let end = file.indexed;
    for (const line of readLines(open.descriptor, file.indexed, Math.min(file.bytes, open.size))) {
      if (!line.isComplete || end - file.indexed >= room) return end;
      end = line.offset + line.length + 1;
      const entry = line.isTooLong ? undefined : parseRoundedLine(line.bytes, open.path);
      for (const key of entry ? entryKeys(entry) : []) {
        const mark = lookupMark(key);
        addLookupRecord(records[mark.bucket] ?? [], mark, { file: name, offset: line.offset, length: line.length });
      }
    }
    return end;
  } finally {
    open.close();
  }
}

async function appendRecords(folder: JournalFolder, head: Head, records: readonly number[][]): Promise<boolean> {
  const sizes = [...head.lookup];
  const sums = [...head.sums];
  for (const [bucket, numbers] of records.entries()) {
    if (numbers.length === 0) continue;
    const bytes = new Uint8Array(Uint32Array.from(numbers).buffer);
    const size = sizes[bucket] ?? 0;
    const isWhole = await withFolderFile(folder, bucketPath(bucket), "append", (file) => {
      if (file.size < size) return false;
      // A process was killed before it could write the head: its records are added again.
      if (file.size > size) ftruncateSync(file.descriptor, size);
      return writeNow(file.descriptor, markMasked(bytes)) === bytes.length;
    });
    if (!isWhole) return false;
    sizes[bucket] = size + bytes.length;
    sums[bucket] = lookupSum(numbers, sums[bucket]);
  }
  head.lookup = Array.from({ length: BUCKETS }, (_, bucket) => sizes[bucket] ?? 0);
  head.sums = Array.from({ length: BUCKETS }, (_, bucket) => sums[bucket] ?? NO_SUM);
  return true;
}

function resetLookup(folder: JournalFolder, head: Head): void {
  rmSync(join(folder.path, LOOKUP), { recursive: true, force: true });
  head.lookup = [];
  head.sums = [];
  for (const file of Object.values(head.files)) file.indexed = 0;
}

export interface Waiting {
  entry: Masked<Entry>;
  isSynced: boolean;
  /** Whether further entries are expected within milliseconds. */
  isFollowed: boolean;
  /** Of `journalEntryJson`, if known. */
  json?: string | undefined;
  resolve(): void;
  reject(error: unknown): void;
}

export type BatchWriter = Awaited<ReturnType<typeof openBatchWriter>>;

export interface Result {
  one: Waiting;
  problem?: unknown;
}

const ATTEMPTS = 20;
const MONTH = /^\d{4}-\d{2}/;

/** Opens a journal for appending, and adopts the lines that its head lacks. */
export async function openBatchWriter(folder: JournalFolder, unique: string) {
  const stored = await readJournalHead(folder);
  const head: Head = stored?.head ?? { files: {}, lookup: [], sums: [], ...(hasHeadTraces(folder) && { lost: true }) };
  await catchUp(folder, head);
  if (!stored?.isProtected) writeJournalHead(folder, head, unique);
  blockOldJournalWriters(folder);
  const files = openFiles(folder);
  let isFinished = false;
  return {
    async append(batch: readonly Waiting[]): Promise<readonly Result[]> {
      isFinished = false;
      const results: Result[] = [];
      for (const [name, part] of byFile(batch, head)) results.push(...(await appendToFile(files, head, name, part)));
      return results;
    },
    /** Updates the lookup files and the head. Otherwise, the next writer would adopt the lines. */
    async finish(): Promise<void> {
      if (isFinished) return;
      isFinished = true;
      try {
        files.seal(head);
        await updateLookup(folder, head);
        writeJournalHead(folder, head, unique);
      } catch {
        // The next writer adopts the lines.
      }
    },
    close: files.close,
  };
}

function byFile(waiting: readonly Waiting[], { files }: Head): Map<string, Waiting[]> {
  const nameFor = (time: string) => `${MONTH.exec(time)?.[0]}.ndjson`;
  return groupBy(waiting, ({ entry: { time } }) => {
    if (!MONTH.test(time)) throw new RelayctlError("io", `the clock of this machine is wrong: it shows ${time}`);
    // A clock that was set back a little must not put an outcome into an earlier file than its intent.
    const next = nameFor(new Date(receivedTime(time) + DAY).toISOString());
    return files[next] ? next : nameFor(time);
  });
}

async function appendToFile(files: Files, head: Head, name: string, part: readonly Waiting[]): Promise<Result[]> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const known = head.files[name] ?? newJournalHead();
    const file = await files.open(name);
    if (!file) break;
    // Otherwise another process took over the lock while this one was stopped. Checked just before the write.
    if (fstatSync(file.descriptor).size === known.bytes) {
      const { seal = files.facts.get(name), ...unsealed } = known;
      const isUnchanged = known.bytes === 0 || seal === headFacts(file);
      const { results, reached } = await appendLines(files.folder, file, { part, known: unsealed });
      head.files[name] = reached;
      if (isUnchanged && results.every(({ problem }) => problem === undefined)) files.facts.set(name, headFacts(file));
      else files.facts.delete(name);
      return results;
    }
    await catchUp(files.folder, head);
  }
  throw Object.assign(new Error("other processes keep writing"), { code: "EBUSY" });
}

/** Appends the lines in one piece. Only whole lines stay, and of synced lines, only those that the disk has. */
async function appendLines(
  folder: JournalFolder,
  file: OpenFile,
  { part, known }: { part: readonly Waiting[]; known: FileHead },
): Promise<{ results: Result[]; reached: FileHead }> {
  const lines = chainLines(part, known.digest);
  const { written, problem } = writeBytes(file, markMasked(Buffer.concat(lines.map(({ bytes }) => bytes))));
  const reached = { ...known };
  for (const { bytes, digest } of lines) {
    // After the first partial line, no later line is whole.
    if (reached.bytes + bytes.length > known.bytes + written) break;
    reached.lines++;
    reached.bytes += bytes.length;
    reached.digest = digest;
  }
  const end = known.bytes + written;
  if (problem) cutOff(file, reached.bytes, end);
  const count = reached.lines - known.lines;
  try {
    const isSynced = part.some((one, index) => one.isSynced && index < count);
    if (count > 0) await syncToDisk(folder, file, { isNew: known.bytes === 0, isSynced });
  } catch (unsynced) {
    cutOff(file, known.bytes, problem ? reached.bytes : end);
    return { results: part.map((one) => ({ one, problem: unsynced })), reached: known };
  }
  return { results: part.map((one, index) => (index < count ? { one } : { one, problem })), reached };
}

function chainLines(part: readonly Waiting[], last: string): { bytes: Buffer; digest: string }[] {
  let digest = last;
  return part.map(({ entry, json }) => {
    const bytes = journalLine(entry, digest, json);
    digest = hash("sha256", bytes.subarray(0, -1));
    return { bytes, digest };
  });
}

function writeBytes({ descriptor }: OpenFile, bytes: Masked<Buffer>): { written: number; problem?: unknown } {
  try {
    const written = writeNow(descriptor, bytes);
    if (written === bytes.length) return { written };
    return { written, problem: Object.assign(new Error("only a part was written"), { code: "ENOSPC" }) };
  } catch (problem) {
    return { written: 0, problem };
  }
}

/** Waits until the disk has the names of a new file and its folder, and the bytes if an entry is to be synced. */
async function syncToDisk(
  { path }: JournalFolder,
  file: OpenFile,
  { isNew, isSynced }: { isNew: boolean; isSynced: boolean },
): Promise<void> {
  if (isNew) for (const folder of [path, dirname(path)]) await syncFolder(folder);
  if (!isSynced) return;
  await new Promise<void>((resolve, reject) =>
    fdatasync(file.descriptor, (error) => (error ? reject(error) : resolve())),
  );
}

/** Cuts off what does not count as written, but no bytes of another process. The next writer sets aside the rest. */
function cutOff({ descriptor }: OpenFile, from: number, end: number): void {
  try {
    if (from < end && fstatSync(descriptor).size === end) ftruncateSync(descriptor, from);
  } catch {}
}

type Files = ReturnType<typeof openFiles>;

function openFiles(folder: JournalFolder) {
  const files = new Map<string, OpenFile>();
  const facts = new Map<string, string>();
  return {
    folder,
    /** The facts of files with nothing but this process's lines after the seal. */
    facts,
    async open(name: string): Promise<OpenFile | undefined> {
      const file = files.get(name) ?? (await folder.open(name, "append"));
      if (file) files.set(name, file);
      return file;
    },
    seal({ files: known }: Head): void {
      for (const [name, file] of files) {
        const [reached, seal] = [known[name], facts.get(name) === headFacts(file) ? headSeal(file) : undefined];
        if (reached && seal !== undefined) reached.seal = seal;
        facts.delete(name);
      }
    },
    close(): void {
      const open = [...files.values()];
      files.clear();
      for (const file of open) file.close();
    },
  };
}

const NEWLINE = 0x0a;
const BLOCK = 64 * 2 ** 10;

/**
 * Updates a head with the lines that it lacks, which a killed process wrote: complete lines are adopted, and a torn last line is moved to
 * a separate file. A changed file that no longer fits the head is continued from the digest in the head, so that verification finds the
 * place.
 */
export async function catchUp(folder: JournalFolder, head: Head): Promise<void> {
  for (const name of await folder.months()) {
    const known = head.files[name] ?? newJournalHead();
    await withFolderFile(folder, name, "append", (file) => {
      if (file.size !== known.bytes) head.files[name] = adopt(folder, name, { file, known });
    });
  }
}

function newJournalHead(): FileHead {
  return { lines: 0, bytes: 0, digest: NO_DIGEST, indexed: 0 };
}

function adopt(folder: JournalFolder, name: string, { file, known }: { file: OpenFile; known: FileHead }): FileHead {
  const isPrefix = file.size > known.bytes && (known.bytes === 0 || byteAt(file, known.bytes - 1) === NEWLINE);
  const reached = isPrefix ? afterLines(file, known) : { ...known, bytes: endOfLines(file), indexed: 0 };
  // Bytes that another process has added meanwhile are not cut off.
  if (reached.bytes < file.size && fstatSync(file.descriptor).size === file.size) {
    moveTorn(folder, name, { file, from: reached.bytes });
    ftruncateSync(file.descriptor, reached.bytes);
  }
  return reached;
}

/** Counts the lines after the known ones, without a torn or non-JSON last line. Only the last line is hashed. */
function afterLines(file: OpenFile, known: FileHead): FileHead {
  const { count, last, before, end } = lineBreaks(file, known.bytes);
  if (count === 0) return known;
  if (isJsonBetween(file, last, end))
    return { ...known, lines: known.lines + count, bytes: end, digest: digestBetween(file, last, end) };
  if (count === 1) return known;
  return { ...known, lines: known.lines + count - 1, bytes: last, digest: digestBetween(file, before, last) };
}

function lineBreaks({ descriptor, size }: OpenFile, from: number) {
  const found = { count: 0, before: from, last: from, end: from };
  for (const { offset, length, isComplete } of readLines(descriptor, from, size)) {
    if (!isComplete) break;
    found.count++;
    [found.before, found.last, found.end] = [found.last, offset, offset + length + 1];
  }
  return found;
}

function digestBetween({ descriptor }: OpenFile, from: number, to: number): string {
  for (const line of readLines(descriptor, from, to)) return line.digest();
  return NO_DIGEST;
}

function isJsonBetween({ descriptor }: OpenFile, from: number, to: number): boolean {
  for (const line of readLines(descriptor, from, to)) return line.isTooLong || lineJson(line.bytes) !== undefined;
  return true;
}

function byteAt({ descriptor }: OpenFile, position: number): number | undefined {
  const byte = Buffer.alloc(1);
  return readSync(descriptor, byte, 0, 1, position) === 1 ? byte[0] : undefined;
}

function endOfLines({ descriptor, size }: OpenFile): number {
  const block = Buffer.alloc(BLOCK);
  for (let end = size; end > 0; end = Math.max(0, end - BLOCK)) {
    const from = Math.max(0, end - BLOCK);
    const read = readSync(descriptor, block, 0, end - from, from);
    const newline = block.subarray(0, read).lastIndexOf(NEWLINE);
    if (newline >= 0) return from + newline + 1;
  }
  return 0;
}

function moveTorn(folder: JournalFolder, name: string, { file, from }: { file: OpenFile; from: number }): void {
  const torn = createTorn(folder, name);
  try {
    const block = Buffer.alloc(BLOCK);
    for (let at = from; at < file.size; ) {
      const read = readSync(file.descriptor, block, 0, BLOCK, at);
      if (read === 0) break;
      let written = 0;
      while (written < read) written += writeNow(torn, markMasked(block.subarray(written, read)));
      at += read;
    }
  } finally {
    closeSync(torn);
  }
}

function createTorn(folder: JournalFolder, name: string): number {
  for (let number = 1; ; number++) {
    try {
      return openNow(join(folder.path, `torn-${name}-${number}`), "new");
    } catch (error) {
      if (fileErrorCode(error) !== "EEXIST") throw error;
    }
  }
}
