const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The kinds of Stellar address by their first letter (SEP-23): the version byte, and the number of characters. */
const KINDS = {
  G: { version: 6 << 3, length: 56, name: "an account (G…)" },
  M: { version: 12 << 3, length: 69, name: "a muxed account (M…)" },
  C: { version: 2 << 3, length: 56, name: "a contract (C…)" },
} as const;

/** The first letter of a Stellar address, which shows its kind. */
export type StrkeyKind = keyof typeof KINDS;

/**
 * Returns why a text is not a Stellar address of one of these kinds, or undefined. The service notices only after
 * accepting it (facts 5.7).
 */
export function strkeyProblem(text: string, kinds: readonly StrkeyKind[]): string | undefined {
  const kind = kinds.find((each) => text.startsWith(each));
  if (!kind) return `needs ${kinds.map((each) => KINDS[each].name).join(" or ")}`;
  const { version, length } = KINDS[kind];
  if (text.length !== length) return `has ${text.length} characters; one that begins with ${kind} has ${length}`;
  const bytes = base32Bytes(text);
  if (!bytes) return "has characters other than A to Z and 2 to 7";
  const sum = crc16(bytes.subarray(0, -2));
  const isChecksumValid = bytes.at(-2) === (sum & 0xff) && bytes.at(-1) === sum >> 8;
  return isChecksumValid && bytes[0] === version
    ? undefined
    : "the checksum of this address is wrong: look for a mistyped character";
}

function base32Bytes(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(Math.floor((text.length * 5) / 8));
  let [held, bits, at] = [0, 0, 0];
  for (const character of text) {
    const digit = BASE32.indexOf(character);
    if (digit < 0) return undefined;
    held = ((held << 5) | digit) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = held >> bits;
    }
  }
  return bytes;
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
