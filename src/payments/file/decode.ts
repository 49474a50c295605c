import type { TextPosition } from "../../contract/json.ts";
import { usageError } from "../../errors.ts";
import type { PlaceText } from "../place.ts";

const LF = 0x0a;

/**
 * Returns the text of a file of payments, without a byte order mark.
 * @throws RelayctlError usage, if it is empty, not UTF-8, or has NUL bytes
 */
export function decodeText(placeText: PlaceText, bytes: Uint8Array): string {
  const refuse = (rule: string, position?: TextPosition) => usageError([{ where: placeText(position), rule }]);
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    throw refuse("is UTF-16; save it as UTF-8");
  const nul = bytes.indexOf(0);
  if (nul >= 0) throw refuse("a NUL byte; the file is damaged, or not saved as UTF-8", positionOf(bytes, nul));
  const text = decoded(bytes);
  if (text === undefined) throw refuse("is not UTF-8; save it as UTF-8", { line: firstUndecodable(bytes), column: 1 });
  if (text.trim() === "") throw refuse("is empty");
  return text;
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns the line of the first byte that is not UTF-8. No character contains the byte of a line feed. */
function firstUndecodable(bytes: Uint8Array): number {
  let line = 1;
  for (let start = 0; ; line++) {
    const end = bytes.indexOf(LF, start);
    if (end < 0 || decoded(bytes.subarray(start, end)) === undefined) return line;
    start = end + 1;
  }
}

function positionOf(bytes: Uint8Array, offset: number): TextPosition {
  let [line, start] = [1, 0];
  for (let at = bytes.indexOf(LF); at >= 0 && at < offset; at = bytes.indexOf(LF, start)) {
    line++;
    start = at + 1;
  }
  return { line, column: offset - start + 1 };
}
