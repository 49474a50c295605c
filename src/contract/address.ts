import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/**
 * Explains why a text is not an EVM address, or returns nothing: 20 bytes of hex, and the checksum of EIP-55 if letters
 * of both cases occur. The service accepts any text, and the relayer's nonces jam later (facts 13.3).
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

/** Says why a text is no bytes in hex, or nothing. */
export function hexProblem(text: string): string | undefined {
  if (!/^0x[0-9a-f]*$/i.test(text)) return "needs 0x and hex digits";
  if (text.length % 2 === 1) return "has an odd number of hex digits";
  return undefined;
}
