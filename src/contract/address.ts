import { keccak_256 } from "./encoding/primitives.ts";

export function addressProblem(text: string): string | undefined {
  if (!/^0x/.test(text)) return "an address begins with 0x and has 40 hex digits";
  const digits = text.slice(2);
  if (!/^[0-9a-f]*$/i.test(digits)) return "an address has hex digits only after 0x";
  if (digits.length !== 40) return `an address has 40 hex digits, this one has ${digits.length}`;
  const oneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  if (!oneCase && !hasChecksum(digits)) return "the checksum of this address is wrong: look for a mistyped digit";
  return undefined;
}

/** Returns whether the case of each letter follows EIP-55: upper from 8 on in the hash of the digits. */
function hasChecksum(digits: string): boolean {
  const hash = keccak_256(ENCODER.encode(digits.toLowerCase()));
  for (let at = 0; at < digits.length; at++) {
    const digit = digits.charCodeAt(at);
    const byte = hash[at >> 1] ?? 0;
    const isUpper = digit < LOWER_A;
    if (digit > NINE && isUpper !== (at % 2 === 0 ? byte >> 4 : byte & 0xf) >= 8) return false;
  }
  return true;
}

const ENCODER = new TextEncoder();
const [NINE, LOWER_A] = [0x39, 0x61];

export function hexBytesProblem(text: string): string | undefined {
  if (!/^0x[0-9a-f]*$/i.test(text)) return "needs 0x and hex digits";
  if (text.length % 2 === 1) return "has an odd number of hex digits";
  return undefined;
}
