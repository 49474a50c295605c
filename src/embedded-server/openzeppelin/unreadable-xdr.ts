import { base64Bytes } from "../../contract/encoding/base64.ts";

const BYTES_OF_TYPE = 4;
/** The highest type of an envelope that there is (Stellar-ledger-entries.x, `EnvelopeType`). */
const LAST_TYPE = 10;

/**
 * Why the service's reader of XDR cannot read a text. That bytes end too early is recorded; the other words are those of
 * the libraries that it reads with.
 */
export function unreadableXdr(text: string): string {
  const at = text.search(/[^A-Za-z0-9+/=]/);
  if (at >= 0) return `Invalid byte ${text.codePointAt(at)}, offset ${at}.`;
  const bytes = base64Bytes(text);
  if (!bytes) return "Encoded text cannot have a 6-bit remainder.";
  const type = bytes.length < BYTES_OF_TYPE ? 0 : new DataView(bytes.buffer).getUint32(0);
  return type > LAST_TYPE ? "xdr value invalid" : "failed to fill whole buffer";
}
