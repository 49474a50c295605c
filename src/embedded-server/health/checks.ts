import type { Resource } from "../state/collection.ts";
import type { ServerState } from "../state/state.ts";
import type { HealthCheck } from "./check.ts";
import { disabledRelayer, enabledRelayer } from "./disabled.ts";
import { unreachableNode } from "./nodes.ts";

/** Milliseconds before the first check and the later ones (facts 4.2). */
const WAITS = [10_000, 20_000, 30_000, 45_000];
const LAST_WAIT = 60_000;

/** Disables a new relayer if none of its nodes can be reached, and notifies about it (facts 3.1, 7.2). */
export function checkNew(state: ServerState, relayer: Resource, timestamp: number): void {
  if (unreachableNode(state, relayer) === undefined) return;
  const disabled = disabledRelayer(relayer);
  state.relayers.put(disabled);
  state.outbox.push({ disabled, timestamp });
  planCheck(state, relayer.id, 0, timestamp);
}

/** Enables a relayer if its nodes can be reached again, otherwise schedules the next check. */
export function checkAgain(state: ServerState, { id, retries }: HealthCheck, timestamp: number): void {
  state.checks.delete(id);
  const relayer = state.relayers.get(id);
  if (relayer?.system_disabled !== true) return;
  if (unreachableNode(state, relayer) === undefined) enable(state, relayer, retries, timestamp);
  else planCheck(state, id, retries + 1, timestamp);
}

function enable(state: ServerState, relayer: Resource, retries: number, timestamp: number): void {
  const enabled = enabledRelayer(relayer);
  state.relayers.put(enabled);
  state.outbox.push({ enabled, retries, timestamp });
}

function planCheck(state: ServerState, id: string, retries: number, timestamp: number): void {
  state.checks.set(id, { id, retries, due: timestamp + (WAITS[retries] ?? LAST_WAIT) });
}
