import type { Examined } from "../../chain/examine.ts";
import { feePaid } from "../../chain/fee-paid.ts";
import { wireAmount } from "../../contract/amount.ts";
import { isJsonInteger, type JsonObject } from "../../contract/json.ts";
import type { WriteOutcome } from "../../journal/entry.ts";

/** What a transaction came to cost, in the smallest unit of the coin. */
export interface Paid {
  fee: bigint;
  /** What it moved: nothing if it failed, reverted, or was canceled. */
  value: bigint;
  /** What was mined; absent if nothing was. */
  hash?: string;
  block?: bigint;
}

/** The cost of a transaction; still open; or why it is not known. */
export type Cost = Paid | { open: string } | { missing: string; isFault: boolean };

/** Returns the cost that the chain shows. The mined version counts, whatever the record shows. */
export function costOf({ verdict, facts, fault }: Examined): Cost {
  const { seen, why } = verdict;
  if (fault) return { missing: `the chain could not be checked: ${fault.words}`, isFault: true };
  const paid = (value: bigint): Cost => {
    if (seen?.block === undefined) return { fee: 0n, value: 0n };
    const fee = feePaid(verdict, facts);
    if (fee === undefined) return { missing: `the receipt of ${seen.hash} could not be read`, isFault: true };
    return { fee, value, hash: seen.hash, block: seen.block };
  };
  switch (verdict.verdict) {
    case "confirmed":
    case "earlier_version":
    case "cancel_too_late":
      return seen ? paid(seen.value) : { missing: why, isFault: false };
    case "reverted":
    case "canceled":
    case "expired":
    case "failed":
      return paid(0n);
    case "pending":
    case "never_broadcast":
      return { open: why };
    case "foreign":
    case "gone":
      return { missing: why, isFault: false };
  }
}

export function recordedCost({ after = {} }: WriteOutcome): Paid | undefined {
  const [fee, value] = [wireAmount(after.fee_paid), wireAmount(after.value_paid)];
  if (fee === undefined || value === undefined) return undefined;
  const { hash, block } = after;
  const mined = typeof hash === "string" && isJsonInteger(block) ? { hash, block: BigInt(block) } : {};
  return { fee, value, ...mined };
}

/** Returns the members of an outcome that keep a cost, so that no later run has to read the chain again. */
export function costMembers({ fee, value, hash, block }: Paid): JsonObject {
  const mined = { ...(hash !== undefined && { hash }), ...(block !== undefined && { block }) };
  return { fee_paid: String(fee), value_paid: String(value), ...mined };
}
