import { hmac, sha256 } from "../encoding/primitives.ts";

const encoder = new TextEncoder();

/** Returns a delivery's `X-Signature`: base64 of HMAC-SHA256 over the raw body, keyed by UTF-8 (facts 7.1). */
export function webhookSignature(signingKey: string, body: string | Uint8Array): string {
  const message = typeof body === "string" ? encoder.encode(body) : body;
  return btoa(String.fromCharCode(...hmac(sha256, encoder.encode(signingKey), message)));
}

/**
 * Why a delivery is not verified. `missing`: no signature. `several`: more than one header. `malformed`: not 44 characters
 * of standard base64. `mismatch`: another key or body. `no_key`: no non-empty key. `not_raw`: the body is neither text nor
 * bytes, e.g. because it was parsed.
 */
export type UnverifiedReason = "missing" | "several" | "malformed" | "mismatch" | "no_key" | "not_raw";

/** Whether a delivery is signed with one of the keys, and which. */
export type WebhookVerification =
  /** `key` is the index of the key in the list. */
  { verified: true; key: number } | { verified: false; reason: UnverifiedReason };

/**
 * Verifies the signature of a webhook delivery (facts 7.1). Takes the same time whichever key and byte differs, and never
 * throws, whatever was received.
 * @param body the raw body, before anything decodes or parses it
 * @param signature the value of the `x-signature` header
 * @param keys the accepted signing keys, several during a rotation; an empty key never matches
 */
export function verifyWebhook(
  body: string | Uint8Array,
  signature: string | readonly string[] | null | undefined,
  keys: string | readonly string[],
): WebhookVerification {
  return verifyWebhookWith(webhookSignature, body, signature, keys);
}

/** Like `verifyWebhook`, with a faster implementation for this runtime. */
export function verifyWebhookWith(
  sign: (signingKey: string, body: Uint8Array) => string,
  ...[body, signature, keys]: Parameters<typeof verifyWebhook>
): WebhookVerification {
  const message = rawBytes(body);
  const headers = splitList(signature);
  const [given] = headers;
  if (message === undefined) return unverifiedResult("not_raw");
  if (typeof given !== "string" || given === "") return unverifiedResult("missing");
  if (headers.length > 1) return unverifiedResult("several");
  if (!SIGNATURE.test(given)) return unverifiedResult("malformed");
  // A program without types may pass an unset variable.
  const usable = splitList(keys).map((key) => (typeof key === "string" ? key : ""));
  if (!usable.some((key) => key !== "")) return unverifiedResult("no_key");
  const matches = usable.map((key) => key !== "" && isEqual(sign(key, message), given));
  const key = matches.indexOf(true);
  return key < 0 ? unverifiedResult("mismatch") : { verified: true, key };
}

/** Base64 of 32 bytes. The last character's two unused bits are 0: otherwise four texts were one signature. */
const SIGNATURE = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

/** Compares two texts of the same length in a time that does not depend on where they differ. */
function isEqual(one: string, other: string): boolean {
  let difference = 0;
  for (let index = 0; index < one.length; index++) difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}

function splitList<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? value : [value as T];
}

function rawBytes(body: unknown): Uint8Array | undefined {
  if (typeof body === "string") return encoder.encode(body);
  if (body instanceof Uint8Array) return body;
  if (!ArrayBuffer.isView(body)) return undefined;
  return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
}

function unverifiedResult(reason: UnverifiedReason): WebhookVerification {
  return { verified: false, reason };
}
