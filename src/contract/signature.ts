import { anything, nullish, object, text } from "./reply/shape.ts";

/** What an EVM relayer signed (facts 3.2): hex without `0x`; `sig` is `r`, `s`, and `v` in one. */
export const signatureShape = object({ sig: text, r: nullish(text), s: nullish(text), v: nullish(anything) });

/** A transaction that was signed: Stellar's in `signedXdr`, the one member in camel case, and Solana's in `transaction`. */
export const signedTransactionShape = object({
  signature: text,
  signedXdr: nullish(text),
  transaction: nullish(text),
});
