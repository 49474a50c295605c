import type { Transaction } from "../../contract/transaction/transaction.ts";
import type { QueueEvidence, QueueHead } from "./diagnosis.ts";
import { nonceOf, type Slots } from "./slots.ts";

/** Returns what all other transactions wait for: what has the chain's next nonce, even a gap, or the first record. */
export function findHead(
  { chain }: Pick<QueueEvidence, "chain">,
  slots: Slots,
): Omit<QueueHead, "prediction"> | undefined {
  const { open, unnumbered } = slots;
  const nonce = chain?.nonce ?? nonceOf(open[0] ?? unnumbered[0] ?? { id: "" });
  const record = newestWith(open, nonce);
  if (record) return { nonce, record };
  if (open.length > 0) return { nonce, record: undefined };
  const [first] = unnumbered;
  return first && { nonce: undefined, record: first };
}

/** Returns the record with a nonce; of several, one that was signed, since only that can be mined (facts 16.3). */
function newestWith(open: readonly Transaction[], nonce: bigint | undefined): Transaction | undefined {
  const found = open.filter((record) => nonceOf(record) === nonce);
  return found.findLast(({ hash }) => typeof hash === "string" && hash !== "") ?? found.at(-1);
}
