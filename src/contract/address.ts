import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/**
 * Returns why a text is not an EVM address, or undefined: 20 bytes of hex, with the EIP-55 checksum if it has letters
 * of both cases. The service accepts any text, and the relayer's nonces jam later (facts 13.3).
 */
export function addressProblem(text: string): string | undefined {
  if (!/^0x/.test(text)) return "an address begins with 0x and has 40 hex digits";
  const digits = text.slice(2);
  if (!/^[0-9a-f]*$/i.test(digits)) return "an address has hex digits only after 0x";
  if (digits.length !== 40) return `an address has 40 hex digits, this one has ${digits.length}`;
  const oneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  if (!oneCase && digits !== checksummed(digits))
    return "the checksum of this address is wrong: look for a mistyped digit";
  return undefined;
}

function checksummed(digits: string): string {
  const lower = digits.toLowerCase();
  const hash = bytesToHex(keccak_256(new TextEncoder().encode(lower)));
  return [...lower]
    .map((digit, index) => (Number.parseInt(hash[index] ?? "", 16) >= 8 ? digit.toUpperCase() : digit))
    .join("");
}

/** Returns why a text is not hex bytes, or undefined. */
export function hexProblem(text: string): string | undefined {
  if (!/^0x[0-9a-f]*$/i.test(text)) return "needs 0x and hex digits";
  if (text.length % 2 === 1) return "has an odd number of hex digits";
  return undefined;
}
