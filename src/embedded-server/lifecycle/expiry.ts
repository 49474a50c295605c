import type { JsonObject } from "../../contract/json.ts";
import { isPending } from "../../contract/transaction/transaction-state.ts";
import { hexDigits } from "../digits.ts";
import type { Resource } from "../state/collection.ts";
import { type ServerState, update } from "../state/state.ts";
import { noopFields } from "../transaction/fields.ts";
import { timestampText } from "../world.ts";
import { type Lifecycle, lifecycleFromSubmitted } from "./lifecycle.ts";
import { signed } from "./steps.ts";

/** Returns the first lifecycle whose `valid_until` has passed by now and whose transaction is not on the chain yet. */
export function nextExpiry(state: ServerState, now: number): { lifecycle: Lifecycle; due: number } | undefined {
  const expired = [...state.lifecycles.values()].flatMap((lifecycle) => {
    const transaction = state.transactions.get(lifecycle.id);
    const isLate = lifecycle.until !== undefined && lifecycle.until <= now && transaction && isPending(transaction);
    return isLate ? [{ lifecycle, due: lifecycle.until ?? 0 }] : [];
  });
  return expired.sort((one, other) => one.due - other.due)[0];
}

/**
 * Expires a transaction. EVM never ends as `expired`; a sent one becomes a transaction that does nothing, and is
 * confirmed (facts 5.1).
 */
export function expire(state: ServerState, { id }: Lifecycle, timestamp: number): void {
  const transaction = state.transactions.get(id);
  state.lifecycles.delete(id);
  if (!transaction) return;
  if (transaction.from === undefined)
    update(state, { ...transaction, ...ENDED, ...boundsReason(transaction) }, timestamp);
  else if (transaction.status === "pending") drop(state, transaction, timestamp);
  else replaceByNoop(state, transaction, timestamp);
}

function replaceByNoop(state: ServerState, transaction: Resource, timestamp: number): void {
  const { id } = transaction;
  const at = transaction.sent_at ?? timestampText(timestamp);
  const noop = {
    ...transaction,
    ...noopFields(transaction),
    ...signed(state),
    ...WHY,
    status: "submitted",
    sent_at: at,
  };
  update(state, noop, timestamp);
  state.lifecycles.set(id, lifecycleFromSubmitted({ id, end: "confirmed" }, noop, timestamp));
}

const ENDED = { status: "expired" };
const WHY = { status_reason: "Transaction is expired. Replacing with NOOP." };

function boundsReason({ source_account }: Resource): JsonObject {
  return source_account === undefined ? {} : { status_reason: "Transaction time_bounds expired" };
}

function drop(state: ServerState, transaction: Resource, timestamp: number): void {
  const failed = { ...transaction, ...WHY, status: "failed" };
  update(state, failed, timestamp);
  if (typeof transaction.nonce === "number") fillGap(state, failed, timestamp);
}

/**
 * Fills the nonce of a transaction that failed before it was sent: the service sends a transaction that does nothing,
 * so that the later ones can be mined (facts 13.3).
 */
export function fillGap(state: ServerState, failed: Resource, timestamp: number): void {
  const at = timestampText(timestamp);
  const filler: Resource = {
    ...failed,
    ...noopFields(failed),
    ...signed(state),
    id: madeId(state.hashes),
    status: "submitted",
    status_reason: `Gap-filling NOOP for nonce ${Number(failed.nonce)}`,
    created_at: at,
    sent_at: at,
  };
  update(state, filler, timestamp);
  state.lifecycles.set(filler.id, lifecycleFromSubmitted({ id: filler.id, end: "confirmed" }, filler, timestamp));
}

/** Returns an ID in the form of a UUID, the same for the same number: steps are deterministic. */
function madeId(number: number): string {
  return hexDigits(number, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5");
}
