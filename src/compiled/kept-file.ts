import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs";
import { isClosed } from "./own-folder.ts";

/** Code that V8 compiled, in a file of the user. */
export interface KeptFile {
  path: string;
  /** The user's ID; absent on Windows. */
  user: number | undefined;
  /** Returns the checksum of the source, the compiler, and the code, in 32 bits. */
  checksumOf(code: Uint8Array): number;
}

/** Bytes of the checksum, which come before the code. */
const CHECKSUM = 4;
/** Ten times the size of the largest kept file. */
const MAX_BYTES = 16 * 2 ** 20;
/** Flags that refuse a link, and open a pipe without waiting for a writer. */
const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Returns the code if the file is regular, private, of a reasonable size, and unchanged since written. */
export function readKept({ path, user, checksumOf }: KeptFile): Uint8Array | undefined {
  const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const facts = fstatSync(file);
    const isUsable = facts.isFile() && facts.nlink === 1 && isClosed(facts, user);
    if (!isUsable || facts.size <= CHECKSUM || facts.size > MAX_BYTES) return undefined;
    const content = Buffer.allocUnsafeSlow(facts.size);
    if (readSync(file, content) !== facts.size) return undefined;
    const code = content.subarray(CHECKSUM);
    return content.readUInt32LE() === checksumOf(code) ? code : undefined;
  } finally {
    closeSync(file);
  }
}

/** Replaces the file at the path, complete or not at all: on a full disk, each run would leave one. */
export function writeKept({ path, checksumOf }: KeptFile, code: Uint8Array, pid: number): void {
  const unfinished = `${path}.${pid}`;
  rmSync(unfinished, { force: true });
  const checksum = Buffer.alloc(CHECKSUM);
  checksum.writeUInt32LE(checksumOf(code));
  try {
    writeNew(unfinished, [checksum, code]);
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

function writeNew(path: string, parts: readonly Uint8Array[]): void {
  const file = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    for (const part of parts) {
      for (let rest = part; rest.length > 0; ) rest = rest.subarray(writeSync(file, rest));
    }
  } finally {
    closeSync(file);
  }
}

export function keptSize({ path }: KeptFile): number {
  return lstatSync(path).size - CHECKSUM;
}
