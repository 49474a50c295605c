import { base58Text } from "./base58.ts";
import { base64Bytes } from "./base64.ts";

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
/** How many signatures there must be, and how many accounts are only read. */
const HEADER_BYTES = 3;

/**
 * Who pays for a serialized Solana transaction: the first account of its message, which follows the signatures and may
 * begin with its version.
 * @returns nothing when the bytes end before that, or there is no account
 */
export function feePayerOf(base64: string): string | undefined {
  const bytes = base64Bytes(base64) ?? new Uint8Array();
  const signatures = compactNumber(bytes, 0);
  const message = signatures.end + signatures.value * SIGNATURE_BYTES;
  const isVersioned = ((bytes[message] ?? 0) & 0x80) !== 0;
  const accounts = compactNumber(bytes, message + (isVersioned ? 1 : 0) + HEADER_BYTES);
  const payer = bytes.subarray(accounts.end, accounts.end + KEY_BYTES);
  return accounts.value > 0 && payer.length === KEY_BYTES ? base58Text(payer) : undefined;
}

/** A number in one to three bytes, seven bits in each, the lowest first. */
function compactNumber(bytes: Uint8Array, start: number): { value: number; end: number } {
  let value = 0;
  for (let index = 0; index < 3; index++) {
    const byte = bytes[start + index] ?? 0;
    value |= (byte & 0x7f) << (7 * index);
    if (byte < 0x80) return { value, end: start + index + 1 };
  }
  return { value, end: start + 3 };
}
