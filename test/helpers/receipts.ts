/** The words of receipts, written once for all tests; what follows them is up to each test. */
/** How a change is reported, up to the context. */
export const APPLIED = "applied in ";
export const UNDO = "undo: ";
export const FOLLOW = "follow: ";
export const SEE = "see: ";
export const NOT_FINAL = "not final yet";

/** @param where the context, `demo`, or the origin; a pattern where the receipt is compared with one */
export const appliedIn = (where: string) => `${APPLIED}${where}: `;
export const createdIn = (where: string) => `created in ${where}: `;
export const deletedIn = (where: string) => `deleted in ${where}: `;
export const acceptedIn = (where: string) => `accepted in ${where}: transaction `;
export const canceledIn = (where: string) => `canceled in ${where}: `;
export const replacementIn = (where: string) => `replacement accepted in ${where}, ${NOT_FINAL}; `;
export const cancellationIn = (where: string) => `cancellation accepted in ${where}, ${NOT_FINAL}; `;

/** Returns the commands that a receipt offers to undo the write. */
export function undoIn(stderr: string): string[] {
  return stderr.split("\n").flatMap((line) => (line.startsWith(UNDO) ? [line.slice(UNDO.length)] : []));
}
