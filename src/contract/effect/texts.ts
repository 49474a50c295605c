/**
 * The words about what a transaction's replacement, cancellation, or broadcast does, which questions, receipts, and
 * help share. Tests compare them with their copy in `test/helpers/receipts.ts`.
 */
export const effectTexts = {
  sent: "the transaction will be signed and broadcast; this can't be reliably undone",
  sentAsSigned: "the signed transaction will be broadcast; this can't be reliably undone",
  mayBeMined: "the original transaction may still be mined",
  onlyRequested: "cancellation is only a request",
  staysValid: "stays valid until one of the two is mined",
};
