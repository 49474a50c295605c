import type { JsonObject } from "../../contract/json.ts";
import { type Lifecycle, lifecycleFromSubmitted } from "../lifecycle/lifecycle.ts";
import type { Resource } from "../state/collection.ts";
import type { ServerState } from "../state/state.ts";

/** The final record if the new version is mined, and if the earlier one is. */
export interface ReplacementRace {
  won: Lifecycle["end"];
  lost: Lifecycle["end"];
}

/**
 * Decides the outcome for a transaction that was replaced or canceled. A `sent` one wins against any later version
 * (facts 13.1, 13.2); against a `submitted` one the new version wins.
 * @param old the previous record
 */
export function raceReplacement(
  state: ServerState,
  old: Resource,
  transaction: Resource,
  now: number,
  { won, lost }: ReplacementRace,
): void {
  const { id, status } = transaction;
  if (status === "pending") return;
  const lifecycle = status === "sent" ? state.lifecycles.get(id) : undefined;
  keepBroadcast(state, old, transaction, lifecycle === undefined);
  if (status === "submitted") state.lifecycles.set(id, lifecycleFromSubmitted({ id, end: won }, transaction, now));
  else
    state.lifecycles.set(id, lifecycle ? { ...lifecycle, end: lost } : { id, next: "submitted", due: now, end: won });
}

/** Keeps the version on the chain. A winning version replaces the earlier one as soon as it has a different hash. */
function keepBroadcast(state: ServerState, old: Resource, { id, hash }: Resource, wins: boolean): void {
  if (wins && hash !== old.hash) state.broadcast.remove(id);
  else if (!state.broadcast.get(id)) state.broadcast.put(old);
}

/**
 * Withdraws an accepted cancellation when a replacement follows. The service's behavior is not known (facts 5.4). A
 * marked record with a transfer would look like a cancellation that came too late (facts 5.5), so the mark and the
 * user's reason are removed.
 */
export function withdrawnCancellation({ is_canceled }: Resource): JsonObject {
  return is_canceled === true ? { is_canceled: false, status_reason: null } : {};
}
