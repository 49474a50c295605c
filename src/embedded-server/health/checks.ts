import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import type { Resource } from "../state/collection.ts";
import type { HealthCheck, ServerState } from "../state/state.ts";
import { kindOf } from "../transaction/lookup.ts";

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

/** Milliseconds until the worker tries a node again (facts 16.6). */
const TO_RETRY = 10_000;

/**
 * Has the worker send transactions that wait for a node soon after a node was changed. Until then they stay `pending`
 * without a nonce (facts 16.6).
 */
export function retryWaiting({ lifecycles }: ServerState, now: number): void {
  for (const [id, lifecycle] of lifecycles) {
    const isWaiting = lifecycle.next === "sent" && lifecycle.due <= now;
    if (isWaiting) lifecycles.set(id, { ...lifecycle, due: now + TO_RETRY });
  }
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

const RPC = { type: "RpcValidationFailed", details: "RPC endpoint validation failed" };
const BALANCE = { type: "BalanceCheckFailed", details: "Insufficient balance" };

/** The reasons that each kind's checks give if no node responds (facts 4.2; recorded for EVM). */
const REASONS: Readonly<Record<NetworkKind, readonly JsonObject[]>> = {
  evm: [{ type: "NonceSyncFailed", details: "Nonce synchronization failed" }, RPC, BALANCE],
  solana: [RPC, BALANCE],
  stellar: [{ type: "SequenceSyncFailed", details: "Sequence synchronization failed" }, RPC, BALANCE],
};

/** Returns a relayer as disabled by the service, since its nodes cannot be reached. */
function disabledRelayer(relayer: Resource): Resource {
  const details = REASONS[kindOf(relayer)].map((reason) => ({ ...reason }));
  return { ...relayer, system_disabled: true, disabled_reason: { type: "Multiple", details } };
}

/** Returns the relayer enabled again. */
function enabledRelayer({ disabled_reason: _, ...relayer }: Resource): Resource {
  return { ...relayer, id: relayer.id, system_disabled: false };
}

/**
 * Returns the URL of a relayer's first node if none of its nodes can be reached: its own nodes, or those of its network
 * (facts 4.4). Nothing is contacted: an unreachable node is one under `.invalid`, a name that never resolves (RFC
 * 6761).
 */
export function unreachableNode({ networks }: ServerState, relayer: Resource): string | undefined {
  const own = urlsIn(relayer.custom_rpc_urls);
  const network = networks.get(`${String(relayer.network_type)}:${String(relayer.network)}`);
  const urls = own.length > 0 ? own : urlsIn(network?.rpc_urls);
  return urls.every(isUnreachable) ? urls[0] : undefined;
}

function urlsIn(entries: JsonValue | undefined): string[] {
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry) => (isJsonObject(entry) ? [String(entry.url)] : []));
}

function isUnreachable(url: string): boolean {
  return URL.canParse(url) && /(?:^|\.)invalid$/.test(new URL(url).hostname);
}
