import type { Resource } from "../state/collection.ts";
import type { DemoState } from "../state/state.ts";

/** Stores a transaction that changed, and notes that its relayer's notification has to be sent (facts 7.2). */
export function update(state: DemoState, transaction: Resource, timestamp: number): void {
  state.transactions.put(transaction);
  state.outbox.push({ transaction, timestamp });
}
