import { elseOnError } from "../../errors.ts";
import { base32nopad } from "./primitives.ts";

/** The kinds of Stellar address by their first letter (SEP-23): the version byte, and the number of characters. */
const KINDS = {
  G: { version: 6 << 3, length: 56, name: "an account (G…)" },
  M: { version: 12 << 3, length: 69, name: "a muxed account (M…)" },
  C: { version: 2 << 3, length: 56, name: "a contract (C…)" },
} as const;

/** The first letter of a Stellar address, which shows its kind. */
export type StrkeyKind = keyof typeof KINDS;

/** Returns why a text is not a Stellar address of these kinds. The service notices only later (facts 5.7). */
export function strkeyProblem(text: string, kinds: readonly StrkeyKind[]): string | undefined {
  const kind = kinds.find((each) => text.startsWith(each));
  if (!kind) return `needs ${kinds.map((each) => KINDS[each].name).join(" or ")}`;
  const { version, length } = KINDS[kind];
  if (text.length !== length) return `has ${text.length} characters; an address that begins with ${kind} has ${length}`;
  if (/[^A-Z2-7]/.test(text)) return "has characters other than A to Z and 2 to 7";
  return hasChecksum(text, version)
    ? undefined
    : "the checksum of this address is wrong: look for a mistyped character";
}

/** Returns whether an address, muxed or not, is of an account. */
export function isStrkeyOf(address: string, account: string): boolean {
  return address === account || (strkeyProblem(address, ["M"]) === undefined && keyIn(address) === keyIn(account));
}

/** Returns the public key in an address: the 32 bytes after the version. */
function keyIn(address: string): string {
  return base32nopad.decode(address).subarray(1, 33).join();
}

function hasChecksum(text: string, version: number): boolean {
  // The bits after the last byte may not be zero.
  const bytes = elseOnError(() => base32nopad.decode(text));
  const sum = bytes ? crc16(bytes.subarray(0, -2)) : 0;
  return bytes?.[0] === version && bytes.at(-2) === (sum & 0xff) && bytes.at(-1) === sum >> 8;
}

/** Returns CRC-16/XMODEM, which ends an address, low byte first. */
function crc16(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) sum = (sum & 0x8000 ? (sum << 1) ^ 0x1021 : sum << 1) & 0xffff;
  }
  return sum;
}
