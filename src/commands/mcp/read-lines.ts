/** The most bytes of a message. */
export const MAX_LINE_BYTES = 256 * 1024;

/** A line of input, or one that is too long and was skipped. */
export type Line = string | { tooLong: true };

const NEWLINE = 0x0a;

/** Reads lines within a bound of memory: what is too long is dropped up to its end. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let parts: Uint8Array[] = [];
  let size = 0;
  const taken = (): Line => {
    const line = size > MAX_LINE_BYTES ? { tooLong: true as const } : decoded(parts);
    parts = [];
    size = 0;
    return line;
  };
  const take = (bytes: Uint8Array) => {
    size += bytes.length;
    if (size > MAX_LINE_BYTES) parts = [];
    else parts.push(bytes.slice());
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      take(chunk.subarray(start, end));
      yield taken();
      start = end + 1;
    }
    take(chunk.subarray(start));
  }
  if (size > 0) yield taken();
}

function decoded(parts: readonly Uint8Array[]): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Buffer.concat(parts));
}
