import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs";
import { isClosed } from "./own-folder.ts";

/** Code that V8 compiled, in a file of the user's own. */
export interface KeptFile {
  path: string;
  /** The user's number, absent on Windows. */
  user: number | undefined;
  /** The digest of what was compiled, by what, and the code. */
  digestOf(code: Uint8Array): Uint8Array;
}

const DIGEST = 32;
/** Ten times what is kept of the largest file. */
const MAX_BYTES = 16 * 2 ** 20;
/** A link is refused, and a pipe is opened without waiting for somebody to write to it. */
const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Returns the code if the file is plain, the user's alone, of a reasonable size, and as it was written. */
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

/** Replaces whatever is at the path, under a name of this process until the file is complete. */
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

/** The number of bytes of code at the path. */
export function keptSize({ path }: KeptFile): number {
  return lstatSync(path).size - DIGEST;
}
