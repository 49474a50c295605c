import { constants, openSync, writeSync } from "node:fs";
import type { Masked } from "../../contract/secret-fields.ts";

const { O_RDONLY, O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
const SAFELY = (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);
const FLAGS = { read: O_RDONLY | SAFELY, append: O_RDWR | O_APPEND | O_CREAT | SAFELY, new: "wx" };

/** Opens a private file, follows no link, and waits for no pipe. For appending, a missing file is created. */
export function openNow(path: string, use: keyof typeof FLAGS): number {
  return openSync(path, FLAGS[use], 0o600);
}

/** Writes bytes to an open file. @returns how many of them were written */
export function writeNow(descriptor: number, bytes: Masked<Uint8Array>): number {
  return writeSync(descriptor, bytes);
}
