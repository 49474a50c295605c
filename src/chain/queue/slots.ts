import { wireAmount } from "../../contract/amount.ts";
import { isFinal, type Transaction, txStatus } from "../../contract/transaction/transaction.ts";
import type { QueueEvidence, QueueHead } from "./diagnosis.ts";

export type Slots = ReturnType<typeof slotsOf>;

/** Returns the records of a relayer, each list in the order of the nonces, then of their creation. */
export function slotsOf({ records, chain }: Pick<QueueEvidence, "records" | "chain">) {
  const sorted = [...records].sort(byNonce);
  const next = chain?.nonce ?? nextSlotNonce(records);
  const isUnused = (record: Transaction) => (slotNonce(record) ?? 0n) >= next;
  const live = sorted.filter((record) => !isFinal(txStatus(record)));
  const numbered = live.filter((record) => slotNonce(record) !== undefined);
  return {
    /** Neither mined nor final, with a nonce that the chain has not used, as far as known. */
    open: numbered.filter(isUnused),
    unnumbered: live.filter((record) => slotNonce(record) === undefined),
    ended: sorted.filter((record) => isFinal(txStatus(record)) && slotNonce(record) !== undefined && isUnused(record)),
    /** Not mined by their records, with a nonce that the chain has used, unless for their own hash. */
    used: numbered.filter(
      (record) => !isUnused(record) && txStatus(record) !== "mined" && chain?.usedBy?.get(record.id) !== "record",
    ),
  };
}

/** Returns an account's next nonce as records prove it: a mined transaction used its nonce and all lower ones. */
export function nextSlotNonce(records: readonly Transaction[]): bigint {
  return records.filter(provesSlotNonce).reduce((next, record) => {
    const nonce = slotNonce(record) ?? -1n;
    return nonce < next ? next : nonce + 1n;
  }, 0n);
}

export function provesSlotNonce(record: Transaction): boolean {
  return ["mined", "confirmed"].includes(txStatus(record)) && slotNonce(record) !== undefined;
}

export function slotNonce(record: Transaction): bigint | undefined {
  return wireAmount(record.nonce);
}

function byNonce(one: Transaction, other: Transaction): number {
  const difference = (slotNonce(one) ?? 0n) - (slotNonce(other) ?? 0n);
  if (difference !== 0n) return difference < 0n ? -1 : 1;
  return String(one.created_at ?? "") < String(other.created_at ?? "") ? -1 : 1;
}

const MOST_GAPS = 20;

/** Returns the nonces from the first one on that no open record has, below the highest assigned nonce. */
export function slotGaps({ open }: Slots, first: bigint, counter: bigint | undefined): bigint[] {
  const taken = new Set(open.map((record) => slotNonce(record)));
  const last = open.length === 0 ? undefined : slotNonce(open[open.length - 1] as Transaction);
  const end = counter !== undefined && (last === undefined || counter > last) ? counter : (last ?? first);
  const gaps: bigint[] = [];
  for (let nonce = first; nonce < end && gaps.length < MOST_GAPS; nonce++) if (!taken.has(nonce)) gaps.push(nonce);
  return gaps;
}

/** Returns what all other transactions wait for: the chain's next nonce, even a gap, or the first record. */
export function findHeadSlot(
  { chain }: Pick<QueueEvidence, "chain">,
  slots: Slots,
): Omit<QueueHead, "prediction"> | undefined {
  const { open, unnumbered } = slots;
  const nonce = chain?.nonce ?? slotNonce(open[0] ?? unnumbered[0] ?? { id: "" });
  const record = newestWith(open, nonce);
  if (record) return { nonce, record };
  if (open.length > 0) return { nonce, record: undefined };
  const [first] = unnumbered;
  return first && { nonce: undefined, record: first };
}

/** Returns the record with a nonce; of several, a signed record, since only that can be mined (facts 16.3). */
function newestWith(open: readonly Transaction[], nonce: bigint | undefined): Transaction | undefined {
  const found = open.filter((record) => slotNonce(record) === nonce);
  return found.findLast(({ hash }) => typeof hash === "string" && hash !== "") ?? found.at(-1);
}
