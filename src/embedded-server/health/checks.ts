import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { policyLeastBalance } from "../../contract/policy.ts";
import { servedBalance } from "../node/served-chain.ts";
import type { Resource } from "../state/collection.ts";
import { type HealthCheck, type ServerState, stateNetworkId } from "../state/state.ts";
import { servedKind } from "../transaction/lookup.ts";

/** Milliseconds before the first and later checks (facts 4.2). */
const WAITS = [10_000, 20_000, 30_000, 45_000];
const LAST_WAIT = 60_000;

/** Disables a new relayer if a check fails, and notifies about it (facts 3.1, 7.2). */
export function checkNewHealth(state: ServerState, relayer: Resource, timestamp: number): void {
  const reasons = failedChecks(state, relayer, timestamp);
  if (reasons.length === 0) return;
  const disabled = disabledRelayer(relayer, reasons);
  state.relayers.put(disabled);
  state.outbox.push({ disabled, timestamp });
  planCheck(state, relayer.id, 0, timestamp);
}

/** Milliseconds until the worker tries a node again (facts 16.6). */
const TO_RETRY = 10_000;

/** Has the worker send what waits once a node was changed: until then `pending` without a nonce (facts 16.6). */
export function resumeWaiting({ lifecycles }: ServerState, now: number): void {
  for (const [id, lifecycle] of lifecycles) {
    const isWaiting = lifecycle.next === "sent" && lifecycle.due <= now;
    if (isWaiting) lifecycles.set(id, { ...lifecycle, due: now + TO_RETRY });
  }
}

/** Milliseconds from a change of a network's nodes to the check of its disabled relayers, and at most (facts 16.6). */
const TO_CHECKED = 13_000;
const LATEST_CHECK = 30_000;

/** Has a network's disabled relayers that use its nodes checked soon, except generated ones. */
export function checkHealthSoon({ relayers, checks }: ServerState, network: string, now: number): void {
  for (const relayer of relayers.held()) {
    const usesNetwork = stateNetworkId(relayer) === network && urlsIn(relayer.custom_rpc_urls).length === 0;
    if (relayer.system_disabled !== true || !usesNetwork) continue;
    const { id } = relayer;
    const { retries, due } = checks.get(id) ?? { retries: 0, due: now + TO_CHECKED };
    checks.set(id, { id, retries, due: Math.min(due, now + LATEST_CHECK) });
  }
}

/** Enables a relayer if no check fails anymore, otherwise keeps the reason and schedules the next check. */
export function checkHealthAgain(state: ServerState, { id, retries }: HealthCheck, timestamp: number): void {
  state.checks.delete(id);
  const relayer = state.relayers.get(id);
  if (relayer?.system_disabled !== true) return;
  const reasons = failedChecks(state, relayer, timestamp);
  if (reasons.length > 0) {
    state.relayers.put(disabledRelayer(relayer, reasons));
    planCheck(state, id, retries + 1, timestamp);
    return;
  }
  const { disabled_reason: _, ...rest } = relayer;
  const enabled = { ...rest, id, system_disabled: false };
  state.relayers.put(enabled);
  state.outbox.push({ enabled, retries, timestamp });
}

function planCheck(state: ServerState, id: string, retries: number, timestamp: number): void {
  state.checks.set(id, { id, retries, due: timestamp + (WAITS[retries] ?? LAST_WAIT) });
}

const RPC = { type: "RpcValidationFailed", details: "RPC endpoint validation failed" };
const BALANCE = { type: "BalanceCheckFailed", details: "Insufficient balance" };

/** Returns why a relayer is disabled. A balance that could not be read counts as too low (facts 16.5). */
function failedChecks(state: ServerState, relayer: Resource, timestamp: number): readonly JsonObject[] {
  const kind = servedKind(relayer);
  if (unreachableNode(state, relayer) !== undefined) return REASONS[kind];
  const isUnread = kind === "evm" && state.faults?.nodeCode("eth_getBalance") !== undefined;
  return isUnread || servedBalance(state, relayer, timestamp) < policyLeastBalance(relayer) ? [BALANCE] : [];
}

/** The reasons of each kind's checks if no node responds (facts 4.2; recorded for EVM). */
const REASONS: Readonly<Record<NetworkKind, readonly JsonObject[]>> = {
  evm: [{ type: "NonceSyncFailed", details: "Nonce synchronization failed" }, RPC, BALANCE],
  solana: [RPC, BALANCE],
  stellar: [{ type: "SequenceSyncFailed", details: "Sequence synchronization failed" }, RPC, BALANCE],
};

function disabledRelayer(relayer: Resource, reasons: readonly JsonObject[]): Resource {
  const [first, ...more] = reasons.map((reason) => ({ ...reason }));
  const disabled_reason = first && more.length === 0 ? first : { type: "Multiple", details: [first ?? {}, ...more] };
  return { ...relayer, system_disabled: true, disabled_reason };
}

/** Contacts nothing (facts 4.4): an unreachable node has a name under `.invalid`, which never resolves (RFC 6761). */
export function unreachableNode(state: ServerState, relayer: Resource): string | undefined {
  const urls = nodeUrls(state, relayer);
  return urls.every(isUnreachable) ? urls[0] : undefined;
}

/** Returns whether a relayer's first node shows the chain of an earlier time. */
export function isNodeStuck(state: ServerState, relayer: Resource): boolean {
  return state.stuckNode !== undefined && nodeUrls(state, relayer)[0] === state.stuckNode.url;
}

function nodeUrls({ networks }: ServerState, relayer: Resource): string[] {
  const own = urlsIn(relayer.custom_rpc_urls);
  return own.length > 0 ? own : urlsIn(networks.get(String(stateNetworkId(relayer)))?.rpc_urls);
}

function urlsIn(entries: JsonValue | undefined): string[] {
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry) => (isJsonObject(entry) ? [String(entry.url)] : []));
}

function isUnreachable(url: string): boolean {
  return URL.canParse(url) && /(?:^|\.)invalid$/.test(new URL(url).hostname);
}
