import { createHash } from "node:crypto";
import { readSync } from "node:fs";
import { MAX_LINE_BYTES } from "./line.ts";

export interface FileLine {
  offset: number;
  length: number;
  /** Without the line break; only the start of a line that is too long. Valid until the next line is read. */
  bytes: Buffer;
  isTooLong: boolean;
  isComplete: boolean;
  digest(): string;
}

const BLOCK = 256 * 2 ** 10;
const NEWLINE = 0x0a;

/** Yields the lines between two positions of a file, the first of which starts a line. Memory stays constant. */
export function* readLines(descriptor: number, from: number, to: number): Generator<FileLine> {
  const line = createPending(from);
  const block = Buffer.allocUnsafe(Math.max(1, Math.min(BLOCK, to - from)));
  for (let at = from; at < to; ) {
    const read = readSync(descriptor, block, 0, Math.min(block.length, to - at), at);
    if (read === 0) break;
    let start = 0;
    for (;;) {
      const end = block.subarray(0, read).indexOf(NEWLINE, start);
      if (end < 0) break;
      yield line.complete(block.subarray(start, end));
      start = end + 1;
    }
    line.add(block.subarray(start, read));
    at += read;
  }
  const rest = line.rest();
  if (rest) yield rest;
}

function createPending(from: number) {
  let offset = from;
  let length = 0;
  let parts: Buffer[] = [];
  let hash = createHash("sha256");
  const keep = (part: Buffer) => {
    hash.update(part);
    if (length < MAX_LINE_BYTES) parts.push(Buffer.from(part.subarray(0, MAX_LINE_BYTES - length)));
    length += part.length;
  };
  const build = (bytes: Buffer, size: number, digest: FileLine["digest"], isComplete = true): FileLine => {
    const line = { offset, length: size, bytes, isTooLong: size > MAX_LINE_BYTES, isComplete, digest };
    offset += size + 1;
    return line;
  };
  const take = (isComplete: boolean): FileLine => {
    const taken = hash;
    const line = build(Buffer.concat(parts), length, () => taken.digest("hex"), isComplete);
    [length, parts, hash] = [0, [], createHash("sha256")];
    return line;
  };
  return {
    add(part: Buffer): void {
      if (part.length > 0) keep(part);
    },
    complete(end: Buffer): FileLine {
      if (length === 0) return build(end, end.length, () => createHash("sha256").update(end).digest("hex"));
      keep(end);
      return take(true);
    },
    rest: () => (length > 0 ? take(false) : undefined),
  };
}
