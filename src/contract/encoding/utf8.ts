import { elseOnError } from "../../errors.ts";

/** Returns UTF-8 as a text, with a byte order mark as its first character. A TextDecoder takes longer to create. */
export function utf8Text(bytes: Uint8Array, start = 0, end = bytes.length): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString();
}

/** Returns UTF-8 as a text, with a byte order mark as its first character; undefined for other bytes. */
export function strictUtf8(bytes: Uint8Array): string | undefined {
  return elseOnError(() => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
}
