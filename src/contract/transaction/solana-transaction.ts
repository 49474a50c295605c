import { base58Text } from "../encoding/base58.ts";
import { base64Bytes } from "../encoding/base64.ts";
import type { SolanaInstruction } from "./solana-instruction.ts";

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
const BLOCKHASH_BYTES = 32;
/** The number of required signatures, and of the read-only accounts. */
const HEADER_BYTES = 3;

/** A position in the bytes. Zeros follow their end, so one check at the end suffices. */
interface Cursor {
  bytes: Uint8Array;
  at: number;
}

/** Returns the payer of a serialized Solana transaction, its first account, if it can be decoded. */
export function solanaFeePayer(base64: string): string | undefined {
  const { firstAccount, isWhole } = decoded(base64);
  return isWhole && firstAccount ? base58Text(firstAccount) : undefined;
}

/** Returns a serialized Solana transaction's instructions. An account from a table is shown by its number. */
export function solanaInstructions(base64: string): SolanaInstruction[] | undefined {
  const { accounts, instructions, isWhole } = decoded(base64);
  if (!isWhole) return undefined;
  const addressAt = (index: number) => {
    const key = accounts.subarray(index * KEY_BYTES, (index + 1) * KEY_BYTES);
    return key.length === KEY_BYTES ? base58Text(key) : `account ${index} (from a table)`;
  };
  return instructions.map(({ head, lists: [indexes, data] }) => ({
    programId: addressAt(head[0] ?? 0),
    accounts: [...indexes].map(addressAt),
    data,
  }));
}

/** Returns in the service's words why it cannot use a serialized transaction (facts 5.8), or undefined. */
export function serializedSolanaProblem(base64: string): string | undefined {
  if (base64 === "" || !base64Bytes(base64)) return "Failed to decode transaction: it is not base64";
  const { firstAccount, isWhole } = decoded(base64);
  if (!isWhole)
    return "Failed to decode transaction: Failed to deserialize transaction: io error: unexpected end of file";
  return firstAccount ? undefined : "Transaction has no fee payer account";
}

/** Bytes of a fixed number, and two lists of bytes. */
interface Entry {
  head: Uint8Array;
  lists: [Uint8Array, Uint8Array];
}

/** Decodes signatures and a message, maybe with a version: header, accounts, blockhash, instructions, tables. */
function decoded(base64: string) {
  const cursor = { bytes: base64Bytes(base64) ?? new Uint8Array(), at: 0 };
  take(cursor, compactNumber(cursor) * SIGNATURE_BYTES);
  const isVersioned = ((cursor.bytes[cursor.at] ?? 0) & 0x80) !== 0;
  take(cursor, (isVersioned ? 1 : 0) + HEADER_BYTES);
  const accounts = take(cursor, compactNumber(cursor) * KEY_BYTES);
  take(cursor, BLOCKHASH_BYTES);
  const instructions = takeEach(cursor, 1);
  if (isVersioned) takeEach(cursor, KEY_BYTES);
  return {
    accounts,
    instructions,
    firstAccount: accounts.length > 0 ? accounts.subarray(0, KEY_BYTES) : undefined,
    isWhole: cursor.at <= cursor.bytes.length,
  };
}

/** Reads entries: instructions with a program and two lists of bytes, or address tables with a key and two lists. */
function takeEach(cursor: Cursor, fixedBytes: number): Entry[] {
  const entries: Entry[] = [];
  for (let left = compactNumber(cursor); left > 0 && cursor.at < cursor.bytes.length; left--) {
    const head = take(cursor, fixedBytes);
    const first = take(cursor, compactNumber(cursor));
    entries.push({ head, lists: [first, take(cursor, compactNumber(cursor))] });
  }
  return entries;
}

function take(cursor: Cursor, count: number): Uint8Array {
  cursor.at += count;
  return cursor.bytes.subarray(cursor.at - count, cursor.at);
}

/** Reads a number of one to three bytes, seven bits in each, lowest first. */
function compactNumber(cursor: Cursor): number {
  let value = 0;
  for (let index = 0; index < 3; index++) {
    const [byte = 0] = take(cursor, 1);
    value |= (byte & 0x7f) << (7 * index);
    if (byte < 0x80) break;
  }
  return value;
}
