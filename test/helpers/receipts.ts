/** The words of receipts, written once for all tests; what follows them is up to each test. */
/** How a change is reported, up to the context. */
export const APPLIED = "applied in ";
export const UNDO = "undo: ";
export const FOLLOW = "follow: ";
export const SEE = "see: ";
export const NOT_FINAL = "not final yet";
export const CANNOT_UNDO = "cannot be undone";

/** The texts about effects, which questions and receipts share. */
export const SENT = "the transaction will be signed and broadcast; this can't be reliably undone";
export const SENT_AS_SIGNED = "the signed transaction will be broadcast; this can't be reliably undone";
export const MAY_BE_MINED = "the original transaction may still be mined";
export const ONLY_REQUESTED = `cancellation is only a request: ${MAY_BE_MINED}`;
export const STAYS_VALID = "the earlier version stays valid until one of the two is mined";
export const NOT_SIGNED = "not signed yet: the service cancels it at once, unless it signs it first";
export const WHILE_PAUSED = "new work is rejected; queued transactions keep running";
export const NOTIFICATION_UNSET = "notification_id is unset: the relayer's events will not be reported";
export const PRICES_IGNORED =
  "services up to v1.8 ignore explicit prices and raise the old fee by at least 10%, except on rollups";

/** @param where the context, `demo`, or the origin; a pattern where the receipt is compared with one */
export const appliedIn = (where: string) => `${APPLIED}${where}: `;
export const createdIn = (where: string) => `created in ${where}: `;
export const deletedIn = (where: string) => `deleted in ${where}: `;
export const acceptedIn = (where: string) => `accepted in ${where}: transaction `;
const canceledIn = (where: string) => `canceled in ${where}: `;
export const neverBroadcastIn = (where: string, id: string) => `${canceledIn(where)}${id} was never broadcast`;
export const replacementIn = (where: string) => `replacement accepted in ${where}, ${NOT_FINAL}; `;
export const cancellationIn = (where: string) => `cancellation accepted in ${where}, ${NOT_FINAL}; `;

/** @param nonce of a canceled transaction that was never broadcast */
export const gapAt = (nonce: number) =>
  `nonce ${nonce} is a gap: transactions with a higher nonce wait about 200 seconds, until the service fills it`;

/** Returns the start of a receipt as a terminal shows it: with the sign of an outcome, and in columns. */
export const drawnOutcome = (receipt: string) => `✓ ${receipt.replace(/(?<= in \S+): /, "   ")}`;
/** Returns the same of the change of one resource: `✓ eth-main-1 in prod   `. */
export const drawnChange = (where: string, id: string) => `✓ ${id} in ${where}   `;
/** The labels of commands, as a terminal shows them. */
const labeled = (label: string) => `  ${label.padEnd(6)}   `;
export const UNDO_LABEL = labeled("undo");
export const SEE_LABEL = labeled("see");
export const BEFORE_LABEL = labeled("before");
export const NOW_LABEL = labeled("now");

/** Returns the commands that a receipt offers to undo the write, in a pipe or on a terminal. */
export function undoIn(stderr: string): string[] {
  return stderr.split("\n").flatMap((line) => {
    const start = [UNDO, UNDO_LABEL].find((label) => line.startsWith(label));
    return start === undefined ? [] : [line.slice(start.length)];
  });
}
