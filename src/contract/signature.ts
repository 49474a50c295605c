import { anything, nullish, object, text } from "./reply/shape.ts";

/** The signature of an EVM relayer (facts 3.2): hex without `0x`; `sig` is `r`, `s`, and `v` in one. */
export const signatureShape = object({ sig: text, r: nullish(text), s: nullish(text), v: nullish(anything) });

/** A signed transaction: Stellar's in `signedXdr`, the only field in camel case, and Solana's in `transaction`. */
export const signedTransactionShape = object({
  signature: text,
  signedXdr: nullish(text),
  transaction: nullish(text),
});
