import { createHash, createHmac } from "node:crypto";

/** Returns the same short text for the same text, which is of no use to anyone who does not know the text. */
export type Fingerprint = (text: string) => string;

const DIGITS = 16;
const PREFIX = "hmac:";

/** Returns the fingerprints of one plan. @param salt random, kept with the fingerprints */
export function fingerprintWith(salt: string): Fingerprint {
  return (text) => PREFIX + createHmac("sha256", salt).update(text).digest("hex").slice(0, DIGITS);
}

export function isFingerprint(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** Returns `sha256:` and 64 hex digits. */
export function checksumOf(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}
