import type { Resource } from "../state/collection.ts";
import type { ServerState } from "../state/state.ts";

/** Stores a changed transaction, and queues the notification of its relayer (facts 7.2). */
export function update(state: ServerState, transaction: Resource, timestamp: number): void {
  state.transactions.put(transaction);
  state.outbox.push({ transaction, timestamp });
}
