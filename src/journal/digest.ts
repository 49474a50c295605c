import { hash } from "node:crypto";

const NEWLINE = 0x0a;

/** Returns the SHA-256 of a line without its line break, in hex. */
export function digestOf(line: Uint8Array): string {
  const bytes = line.at(-1) === NEWLINE ? line.subarray(0, -1) : line;
  return hash("sha256", bytes);
}
