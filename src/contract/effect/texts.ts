export const effectTexts = {
  sent: "the transaction will be signed and broadcast; this can't be reliably undone",
  sentAsSigned: "the signed transaction will be broadcast; this can't be reliably undone",
  mayBeMined: "the original transaction may still be mined",
  onlyRequested: "cancellation is only a request",
  staysValid: "stays valid until one of the two is mined",
  /** facts 4.2. */
  whilePaused: "new work is rejected; queued transactions keep running",
  notificationUnset: "notification_id is unset: the relayer's events will not be reported",
  /** What services up to v1.8 do to a replacement's price (facts 5.4, 15.2). */
  raisesFee: "raise the old fee by at least 10%, except on rollups",
};
