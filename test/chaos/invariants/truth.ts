import type { Mined } from "../model/chain.ts";
import { isNoop, type Stored, type Version } from "../model/record.ts";
import type { ModelWorld } from "../model/world.ts";

/** What happened to the nonces of a record between two moments: each state that a node may have shown. */
export function statesOf(world: ModelWorld, stored: Stored, first: number, last: number): (Mined | undefined)[] {
  if (stored.nonces.length === 0) return [undefined];
  return stored.nonces.flatMap((nonce) => statesOfNonce(world, { from: stored.from, nonce }, first, last));
}

/** What happened to a nonce between two moments. */
export function statesOfNonce(
  { chain }: ModelWorld,
  { from, nonce }: { from: string; nonce: number },
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

export function doesSame(one: Version, other: Version): boolean {
  const to = ({ to: receiver }: Version) => receiver?.toLowerCase() ?? null;
  return to(one) === to(other) && one.value === other.value && (one.data ?? "0x") === (other.data ?? "0x");
}

export function isOwn(stored: Stored, { transaction }: Mined): boolean {
  return stored.broadcast.has(transaction.hash);
}

export function minesNoop({ transaction }: Mined): boolean {
  return isNoop(transaction);
}

/** Whether something that moves money and belongs to a record is on the chain now, with one of the nonces. */
export function isPaid({ chain }: ModelWorld, stored: Stored, nonces: ReadonlySet<number>): boolean {
  return [...nonces].some((nonce) => pays(stored, chain.minedBy(stored.from, nonce)));
}

/** Whether something that was mined moves money and belongs to a record. */
export function pays(stored: Stored, mined: Mined | undefined): boolean {
  return mined !== undefined && isOwn(stored, mined) && !minesNoop(mined) && !mined.reverted;
}

/** Whether a reorganization brought a version back. A node then forgets the later versions that it accepted. */
export function wasUndone({ chain }: ModelWorld, { from, nonces }: Stored): boolean {
  return chain.changes.some((each) => each.from === from && nonces.includes(each.nonce) && each.mined === undefined);
}

/** Whether a node ever accepted what a record showed. */
export function wasSent({ chain }: ModelWorld, { from, nonces }: Stored, version: Version): boolean {
  return [...chain.received.values()].some(
    (each) => each.from === from && nonces.includes(each.nonce) && doesSame(each, version),
  );
}
