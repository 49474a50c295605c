import { wireAmount } from "../../contract/amount.ts";
import { capIn } from "../../contract/policy/cap-change.ts";
import { appliedOf, type Intent, type Journal, type RecordedWrite, writesOf } from "../../journal/journal.ts";

/** A relayer's cap that a run raised for a while, and may have left raised. Caps are in wei. */
export type RaisedCap = NonNullable<ReturnType<typeof raisedCap>>;

export function raisedCapKey(server: string, relayerId: string): string {
  return `gas_price_cap of ${relayerId} at ${server}`;
}

export function keptRaisedCapKey(server: string, relayerId: string): string {
  return `${raisedCapKey(server, relayerId)}, kept`;
}

/** Returns the raised caps under a key that no write has restored, oldest first. */
export async function leftRaisedCaps(journal: Journal, key: string): Promise<RaisedCap[]> {
  const isCapRestored = createRestoredCheck();
  const writes = writesOf(await journal.find(key));
  return writes
    .reverse()
    .flatMap((write) => (isCapRestored(write) === false ? (raisedCap(write) ?? []) : []))
    .reverse();
}

/** Returns whether a temporary change was undone; undefined for any other write. */
export async function isRestored(journal: Journal, write: RecordedWrite): Promise<boolean | undefined> {
  const { temporary, keeps, id } = write.intent;
  const key = temporary ?? keeps;
  if (key === undefined || appliedOf(write) === "no") return undefined;
  const isLeft = (await leftRaisedCaps(journal, key)).some((left) => left.write.intent.id === id);
  if (isLeft) return false;
  return temporary === undefined ? undefined : true;
}

/** Records that a key's caps are no longer raised. @param time ISO 8601 */
export async function closeRaisedCaps(journal: Journal, key: string, time: string): Promise<void> {
  for (const { write } of await leftRaisedCaps(journal, key)) {
    const { id, run } = write.intent;
    const applied = appliedOf(write);
    await journal.append({ type: "outcome", applied, ...write.outcome, id, run, time, isOver: true });
  }
}

/** Takes writes, newest first. Returns if a temporary change was undone; false for a lasting one without its undo. */
export function createRestoredCheck(): (write: RecordedWrite) => boolean | undefined {
  const restored = new Set<string>();
  return (write) => {
    const { intent, outcome } = write;
    const { temporary, keeps, restores } = intent;
    if (restores !== undefined && appliedOf(write) === "yes") restored.add(restores);
    if (keeps !== undefined && appliedOf(write) !== "no") return outcome?.isOver ? undefined : false;
    if (temporary === undefined || appliedOf(write) === "no") return undefined;
    return outcome?.isOver === true || restored.has(temporary);
  };
}

/** Returns the cap that a write raised temporarily, unless an edited line hides it. */
export function raisedCap(write: RecordedWrite) {
  const { temporary, keeps, ids, before, body }: Intent = write.intent;
  const [from, to] = [wireAmount(capIn(before)), wireAmount(capIn(body))];
  const relayerId = ids.relayer_id;
  if ((temporary ?? keeps) === undefined || typeof relayerId !== "string" || from === undefined || to === undefined)
    return undefined;
  return { write, relayerId, from, to };
}
