import { checkAgain } from "../health/checks.ts";
import { type ServerState, update } from "../state/state.ts";
import { expire, fillGap, nextExpiry } from "./expiry.ts";
import { type Lifecycle, lifecycleAfter } from "./lifecycle.ts";
import { waitsForNonce } from "./nonces.ts";
import { changesOf } from "./steps.ts";

/** The next due event: a step of a transaction, or a health check of a relayer. */
interface Due {
  due: number;
  take(timestamp: number): void;
}

/** Applies everything that is due by now, in order of time. */
export function advance(state: ServerState, now: number): void {
  let timestamp = 0;
  for (let next = nextDue(state, now); next; next = nextDue(state, now)) {
    timestamp = Math.max(timestamp, next.due);
    next.take(timestamp);
  }
}

/** Returns the earliest event that is due by now. */
export function nextDue(state: ServerState, now: number): Due | undefined {
  const lifecycle = firstDue(state.lifecycles, now, (each) => !isHeldUp(state, each));
  const check = firstDue(state.checks, now);
  const expiry = nextExpiry(state, now);
  const all: (Due | undefined)[] = [
    lifecycle && { due: lifecycle.due, take: (timestamp) => take(state, lifecycle, timestamp) },
    check && { due: check.due, take: (timestamp) => checkAgain(state, check, timestamp) },
    expiry && { due: expiry.due, take: (timestamp) => expire(state, expiry.lifecycle, timestamp) },
  ];
  return all.flatMap((each) => each ?? []).sort((one, other) => one.due - other.due)[0];
}

function firstDue<T extends { due: number }>(
  all: ReadonlyMap<string, T>,
  now: number,
  isFree: (each: T) => boolean = () => true,
): T | undefined {
  const due = [...all.values()].filter((each) => each.due <= now);
  return due.sort((one, other) => one.due - other.due).find(isFree);
}

function isHeldUp(state: ServerState, { id, next }: Lifecycle): boolean {
  const transaction = state.transactions.get(id);
  return next === "mined" && transaction !== undefined && waitsForNonce(state, transaction);
}

/** Takes a step, unless the transaction's relayer was deleted meanwhile. */
function take(state: ServerState, lifecycle: Lifecycle, timestamp: number): void {
  state.lifecycles.delete(lifecycle.id);
  const transaction = state.transactions.get(lifecycle.id);
  const relayer = state.relayers.get(String(transaction?.relayer_id));
  if (!transaction || !relayer) return;
  const changed = {
    ...transaction,
    ...changesOf[lifecycle.next]({ state, relayer, transaction, lifecycle, timestamp }),
  };
  if (changed.status === transaction.status) state.transactions.put(changed);
  else update(state, changed, timestamp);
  const following = lifecycleAfter(lifecycle, changed, timestamp);
  if (following) state.lifecycles.set(lifecycle.id, following);
  const leavesGap =
    lifecycle.next === "failed" && transaction.status === "pending" && typeof transaction.nonce === "number";
  if (leavesGap) fillGap(state, changed, timestamp);
}
