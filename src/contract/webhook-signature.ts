import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";

const encoder = new TextEncoder();

/**
 * Returns the `X-Signature` of a webhook delivery: standard base64 of HMAC-SHA256 over the raw body, with the signing
 * key's UTF-8 bytes as the key (facts 7.1).
 */
export function webhookSignature(signingKey: string, body: string): string {
  return btoa(String.fromCharCode(...hmac(sha256, encoder.encode(signingKey), encoder.encode(body))));
}
