import { type JsonObject, writeJson } from "../../contract/json.ts";
import { hexDigits, seedOf } from "../digits.ts";

/** The type of an envelope of Stellar's v1, and an empty list of signatures (Stellar-transaction.x). */
const V1 = "00000002";
const UNSIGNED = "00000000";

/** What looks like an unsigned envelope, in base64, and is the same for the same body. It holds no transaction. */
export function unsignedEnvelope(body: JsonObject): string {
  const hex = V1 + hexDigits(seedOf(writeJson(body)), 128) + UNSIGNED;
  const bytes = hex.match(/../g) ?? [];
  return btoa(String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 16))));
}
