import { base64Bytes } from "./base64.ts";

/** The envelope types of Stellar's `TransactionEnvelope` union (Stellar-ledger-entries.x, `EnvelopeType`). */
const ENVELOPE = { v0: 0, v1: 2, feeBump: 5 };

export const INVALID_XDR = "Invalid XDR: no transaction envelope in base64";

/** Returns whether a Stellar envelope is signed: the list at its end is not empty. Undefined for no envelope. */
export function isSignedXdr(base64: string): boolean | undefined {
  const bytes = base64Bytes(base64);
  if (!bytes || bytes.length < 8 || bytes.length % 4 !== 0) return undefined;
  const view = new DataView(bytes.buffer);
  if (!Object.values(ENVELOPE).includes(view.getUint32(0))) return undefined;
  return view.getUint32(bytes.length - 4) !== 0;
}
