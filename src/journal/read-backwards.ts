import { readSync } from "node:fs";
import { MAX_LINE_BYTES } from "./line.ts";

const BLOCK = 256 * 2 ** 10;
const NEWLINE = 0x0a;

/**
 * Yields the complete lines before a position of a file, last line first, without their line breaks. A line that is too
 * long is skipped, so that memory does not grow with it.
 */
export function* readBackwards(descriptor: number, size: number): Generator<Buffer> {
  /** The parts of the line whose start is not read yet, in their order; undefined for what has no line break. */
  let parts: Buffer[] | undefined;
  let length = 0;
  const take = (part: Buffer) => {
    length += part.length;
    if (parts && length <= MAX_LINE_BYTES) parts.unshift(Buffer.from(part));
    else if (parts) parts = [];
  };
  const taken = () => (parts && length <= MAX_LINE_BYTES ? Buffer.concat(parts) : undefined);
  for (let end = size; end > 0; ) {
    const from = Math.max(0, end - BLOCK);
    const block = wholeBlock(descriptor, from, end - from);
    let upTo = block.length;
    for (;;) {
      const newline = upTo === 0 ? -1 : block.lastIndexOf(NEWLINE, upTo - 1);
      take(block.subarray(newline + 1, upTo));
      if (newline < 0) break;
      const line = taken();
      if (line) yield line;
      parts = [];
      length = 0;
      upTo = newline;
    }
    end = from;
  }
  const first = taken();
  if (first) yield first;
}

function wholeBlock(descriptor: number, from: number, length: number): Buffer {
  const block = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const read = readSync(descriptor, block, filled, length - filled, from + filled);
    // A file that was cut off meanwhile ends here.
    if (read === 0) break;
    filled += read;
  }
  return block.subarray(0, filled);
}
