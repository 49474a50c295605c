import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs";
import { isClosed } from "./own-folder.ts";

/** Code that V8 compiled, in a file of the user. */
export interface KeptFile {
  path: string;
  /** The user's ID; absent on Windows. */
  user: number | undefined;
  /** Returns the digest of the source, the compiler, and the code. */
  digestOf(code: Uint8Array): Uint8Array;
}

const DIGEST = 32;
/** Ten times the size of the largest kept file. */
const MAX_BYTES = 16 * 2 ** 20;
/** Flags that refuse a link, and open a pipe without waiting for a writer. */
const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * Returns the code if the file is regular, private to the user, of a reasonable size, and unchanged since it was
 * written.
 */
export function readKept({ path, user, digestOf }: KeptFile): Uint8Array | undefined {
  const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const facts = fstatSync(file);
    const isUsable = facts.isFile() && facts.nlink === 1 && isClosed(facts, user);
    if (!isUsable || facts.size <= DIGEST || facts.size > MAX_BYTES) return undefined;
    const content = Buffer.allocUnsafeSlow(facts.size);
    if (readSync(file, content) !== facts.size) return undefined;
    const code = content.subarray(DIGEST);
    return content.subarray(0, DIGEST).equals(digestOf(code)) ? code : undefined;
  } finally {
    closeSync(file);
  }
}

/** Replaces the file at the path, using a name of this process until the file is complete. */
export function writeKept({ path, digestOf }: KeptFile, code: Uint8Array, pid: number): void {
  const unfinished = `${path}.${pid}`;
  rmSync(unfinished, { force: true });
  const file = openSync(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    for (const part of [digestOf(code), code]) {
      for (let rest = part; rest.length > 0; ) rest = rest.subarray(writeSync(file, rest));
    }
  } finally {
    closeSync(file);
  }
  renameSync(unfinished, path);
}

/** Returns the number of bytes of code at the path. */
export function keptSize({ path }: KeptFile): number {
  return lstatSync(path).size - DIGEST;
}
