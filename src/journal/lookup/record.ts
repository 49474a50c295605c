import { createHash } from "node:crypto";

/** Where the lookup files say that an entry with a key is. */
export interface Location {
  /** The file with the line. */
  file: string;
  offset: number;
  length: number;
}

/** The digest of a key, which the lookup files contain in its place. */
export interface KeyMark {
  /** The number of the lookup file. */
  bucket: number;
  digest: string;
}

export const BUCKETS = 256;
const DIGEST = 32;
const RECORD = /^([0-9a-f]{32}) (\d{4}-\d{2}) (\d{12}) (\d{7}) ([0-9a-f]{8})\n$/;
/** All records have the same size, so that each can be found, and a damaged one affects no other. */
const RECORD_BYTES = DIGEST + 1 + 7 + 1 + 12 + 1 + 7 + 1 + 8 + 1;
const EXTENSION = ".ndjson";

/** Returns the mark of a key: keys of any length have marks of one size. */
export function markOf(key: string): KeyMark {
  const digest = createHash("sha256").update(key).digest("hex").slice(0, DIGEST);
  return { bucket: Number.parseInt(digest.slice(0, 2), 16), digest };
}

export function recordOf({ digest }: KeyMark, { file, offset, length }: Location): string {
  const month = file.slice(0, -EXTENSION.length);
  const content = `${digest} ${month} ${String(offset).padStart(12, "0")} ${String(length).padStart(7, "0")}`;
  return `${content} ${checksum(content)}\n`;
}

/**
 * Returns the locations that a lookup file has for some digests, or undefined if a record is damaged: then a record for
 * them may be missing too.
 */
export function locationsIn(bytes: Buffer, digests: ReadonlySet<string>): Location[] | undefined {
  if (bytes.length % RECORD_BYTES !== 0) return undefined;
  const found: Location[] = [];
  for (let at = 0; at < bytes.length; at += RECORD_BYTES) {
    const text = bytes.toString("latin1", at, at + RECORD_BYTES);
    const [, digest = "", month, offset, length, sum] = RECORD.exec(text) ?? [];
    if (sum === undefined || checksum(text.slice(0, -10)) !== sum) return undefined;
    if (digests.has(digest))
      found.push({ file: `${month}${EXTENSION}`, offset: Number(offset), length: Number(length) });
  }
  return found;
}

/** Returns the 32-bit FNV-1a hash of a text in ASCII: enough to find damage, and fast. */
function checksum(text: string): string {
  let sum = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193);
  return (sum >>> 0).toString(16).padStart(8, "0");
}
