/** Returns UTF-8 as a text, with a byte order mark as its first character. A TextDecoder takes longer to create. */
export function utf8Text(bytes: Uint8Array, start = 0, end = bytes.length): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString();
}
