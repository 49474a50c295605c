import type { Mined } from "./chain.ts";
import { isNoop, type Stored, type Version } from "./record.ts";
import type { ModelWorld } from "./world.ts";

/** What happened to the nonce of a record between two moments: each state that a node may have shown. */
export function statesOf(
  { chain }: ModelWorld,
  { from, nonce }: Stored,
  first: number,
  last: number,
): (Mined | undefined)[] {
  let state: Mined | undefined;
  const states: (Mined | undefined)[] = [];
  for (const [index, change] of chain.changes.entries()) {
    if (index >= last) break;
    if (index === first) states.push(state);
    if (change.from !== from || change.nonce !== nonce) continue;
    state = change.mined;
    if (index >= first) states.push(state);
  }
  return states.length > 0 ? states : [state];
}

/** Whether two versions do the same. */
export function doesSame(one: Version, other: Version): boolean {
  const to = ({ to: receiver }: Version) => receiver?.toLowerCase() ?? null;
  return to(one) === to(other) && one.value === other.value && (one.data ?? "0x") === (other.data ?? "0x");
}

/** Whether a transaction is a version of a record. */
export function isOwn(stored: Stored, { transaction }: Mined): boolean {
  return stored.broadcast.has(transaction.hash);
}

export function minesNoop({ transaction }: Mined): boolean {
  return isNoop(transaction);
}

/** Whether something that moves money and belongs to a record is on the chain now. */
export function isPaid({ chain }: ModelWorld, stored: Stored): boolean {
  const mined = stored.nonce === null ? undefined : chain.minedBy(stored.from, stored.nonce);
  return mined !== undefined && isOwn(stored, mined) && !minesNoop(mined) && !mined.reverted;
}

/** Whether a node ever accepted what a record showed. */
export function wasSent({ chain }: ModelWorld, { from, nonce }: Stored, version: Version): boolean {
  return [...chain.received.values()].some(
    (each) => each.from === from && each.nonce === nonce && doesSame(each, version),
  );
}
