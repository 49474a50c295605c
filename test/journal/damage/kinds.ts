/** Ways to damage the bytes of a file at a place. */
export const AT_BYTES: Readonly<Record<string, (bytes: Buffer, at: number) => Buffer>> = {
  cut: (bytes, at) => bytes.subarray(0, at),
  flip: (bytes, at) => replaced(bytes, at, 1, Buffer.from([(bytes[at] ?? 0) ^ (1 << (at % 8))])),
  remove: (bytes, at) => replaced(bytes, at, 1, Buffer.alloc(0)),
  double: (bytes, at) => replaced(bytes, at, 0, bytes.subarray(at, at + 1)),
  zero: (bytes, at) => replaced(bytes, at, 1, Buffer.alloc(1)),
  insert: (bytes, at) => replaced(bytes, at, 0, Buffer.from("0")),
};

/** Ways to damage the lines of a file at a line. */
export const AT_LINES: Readonly<Record<string, (lines: readonly string[], at: number) => readonly string[]>> = {
  cut: (lines, at) => lines.slice(0, at),
  remove: (lines, at) => lines.toSpliced(at, 1),
  double: (lines, at) => lines.toSpliced(at, 0, lines[at] ?? ""),
  zero: (lines, at) => lines.with(at, "\0".repeat((lines[at] ?? "").length)),
  move: (lines, at) => [...lines.toSpliced(at, 1), lines[at] ?? ""],
  insert: (lines, at) => lines.toSpliced(at, 0, lines.at(-1) ?? ""),
  order: (lines, at) => [...lines.slice(0, at), ...lines.slice(at).toReversed()],
};

function replaced(bytes: Buffer, at: number, length: number, by: Uint8Array): Buffer {
  return Buffer.concat([bytes.subarray(0, at), by, bytes.subarray(at + length)]);
}

/** Returns what a damage of its lines makes of a file. */
export function withLines(bytes: Buffer, change: (lines: readonly string[]) => readonly string[]): Buffer {
  const lines = bytes.toString().trimEnd().split("\n");
  return Buffer.from(
    change(lines)
      .map((line) => `${line}\n`)
      .join(""),
  );
}
