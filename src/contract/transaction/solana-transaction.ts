import { base58Text } from "../encoding/base58.ts";
import { base64Bytes } from "../encoding/base64.ts";

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
const BLOCKHASH_BYTES = 32;
/** How many signatures there must be, and how many accounts are only read. */
const HEADER_BYTES = 3;

/** A place in the bytes. Beyond their end there are zeros, so that one look at the place at the end tells whether they sufficed. */
interface Cursor {
  bytes: Uint8Array;
  at: number;
}

/**
 * Who pays for a serialized Solana transaction: the first account of its message.
 * @returns nothing when it cannot be decoded, or there is no account
 */
export function feePayerOf(base64: string): string | undefined {
  const { firstAccount, isWhole } = decoded(base64);
  return isWhole && firstAccount ? base58Text(firstAccount) : undefined;
}

/** Explains in the service's words why it cannot use a serialized transaction (facts 5.8), or returns nothing. */
export function serializedProblem(base64: string): string | undefined {
  if (base64 === "" || !base64Bytes(base64)) return "Failed to decode transaction: it is not base64";
  const { firstAccount, isWhole } = decoded(base64);
  if (!isWhole)
    return "Failed to decode transaction: Failed to deserialize transaction: io error: unexpected end of file";
  return firstAccount ? undefined : "Transaction has no fee payer account";
}

/** Signatures, and a message that may begin with its version: a header, accounts, a blockhash, instructions and tables of addresses. */
function decoded(base64: string): { firstAccount: Uint8Array | undefined; isWhole: boolean } {
  const cursor = { bytes: base64Bytes(base64) ?? new Uint8Array(), at: 0 };
  take(cursor, compactNumber(cursor) * SIGNATURE_BYTES);
  const isVersioned = ((cursor.bytes[cursor.at] ?? 0) & 0x80) !== 0;
  take(cursor, (isVersioned ? 1 : 0) + HEADER_BYTES);
  const accounts = take(cursor, compactNumber(cursor) * KEY_BYTES);
  take(cursor, BLOCKHASH_BYTES);
  takeEach(cursor, 1);
  if (isVersioned) takeEach(cursor, KEY_BYTES);
  return {
    firstAccount: accounts.length > 0 ? accounts.subarray(0, KEY_BYTES) : undefined,
    isWhole: cursor.at <= cursor.bytes.length,
  };
}

/** An instruction names its program and has two lists of bytes; a table of addresses has its key before two such lists. */
function takeEach(cursor: Cursor, fixedBytes: number): void {
  for (let left = compactNumber(cursor); left > 0 && cursor.at < cursor.bytes.length; left--) {
    take(cursor, fixedBytes);
    take(cursor, compactNumber(cursor));
    take(cursor, compactNumber(cursor));
  }
}

function take(cursor: Cursor, count: number): Uint8Array {
  cursor.at += count;
  return cursor.bytes.subarray(cursor.at - count, cursor.at);
}

/** A number in one to three bytes, seven bits in each, the lowest first. */
function compactNumber(cursor: Cursor): number {
  let value = 0;
  for (let index = 0; index < 3; index++) {
    const [byte = 0] = take(cursor, 1);
    value |= (byte & 0x7f) << (7 * index);
    if (byte < 0x80) break;
  }
  return value;
}
