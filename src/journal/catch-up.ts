import { closeSync, fstatSync, ftruncateSync, readSync } from "node:fs";
import { join } from "node:path";
import { fileErrorCode } from "../config/files/file-error.ts";
import { openNow, writeNow } from "../config/files/read-now.ts";
import { unmasked } from "../contract/secret-fields.ts";
import { type JournalFolder, type OpenFile, withFolderFile } from "./folder.ts";
import type { FileHead, Head } from "./head.ts";
import { lineJson, NO_DIGEST } from "./line.ts";
import { readLines } from "./read-lines.ts";

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

export function newJournalHead(): FileHead {
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
      while (written < read) written += writeNow(torn, unmasked(block.subarray(written, read)));
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
