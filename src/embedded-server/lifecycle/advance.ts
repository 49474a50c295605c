import { checkAgain } from "../health/checks.ts";
import type { DemoState } from "../state/state.ts";
import { expire, nextExpiry } from "./expiry.ts";
import { fillGap } from "./gap.ts";
import { type Lifecycle, lifecycleAfter } from "./lifecycle.ts";
import { waitsForNonce } from "./nonces.ts";
import { changesOf } from "./steps.ts";
import { update } from "./update.ts";

/** What happens by itself at a time: a step of a transaction, or a look at a relayer. */
interface Due {
  due: number;
  take(timestamp: number): void;
}

/** Takes everything that was due by now, in the order of time. */
export function advance(state: DemoState, now: number): void {
  let timestamp = 0;
  for (let next = nextDue(state, now); next; next = nextDue(state, now)) {
    timestamp = Math.max(timestamp, next.due);
    next.take(timestamp);
  }
}

/** What comes first of all that is due by now. */
export function nextDue(state: DemoState, now: number): Due | undefined {
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

function isHeldUp(state: DemoState, { id, next }: Lifecycle): boolean {
  const transaction = state.transactions.get(id);
  return next === "mined" && transaction !== undefined && waitsForNonce(state, transaction);
}

/** A transaction whose relayer was deleted meanwhile goes nowhere. */
function take(state: DemoState, lifecycle: Lifecycle, timestamp: number): void {
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
