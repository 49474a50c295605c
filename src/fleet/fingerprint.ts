import { createHash, createHmac } from "node:crypto";

/** Returns a short text that is the same for the same text, and useless without knowing the text. */
export type Fingerprint = (text: string) => string;

const DIGITS = 16;
const PREFIX = "hmac:";

export function fingerprintWith(salt: string): Fingerprint {
  return (text) => PREFIX + createHmac("sha256", salt).update(text).digest("hex").slice(0, DIGITS);
}

export function isFingerprint(value: unknown): value is string {
  return typeof value === "string" && value.startsWith(PREFIX);
}

export function fingerprintChecksum(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}
