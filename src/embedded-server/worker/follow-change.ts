import { addressProblem } from "../../contract/address.ts";
import type { JsonObject } from "../../contract/json.ts";
import { chooseForMining } from "../chain/mining.ts";
import { chainNetwork, chainOfNetwork, chainRules } from "../chain/network-chains.ts";
import { type Lifecycle, lifecycleFromSubmitted } from "../lifecycle/lifecycle.ts";
import type { Resource } from "../state/collection.ts";
import type { ServerState } from "../state/state.ts";
import { resubmitToNode } from "./submit.ts";

export interface SentChange {
  relayer: Resource;
  old: Resource;
  record: Resource;
}

export interface WorkerStyle {
  /** Milliseconds from a block to the status check (default: at once). */
  notices?: number;
  /** Milliseconds until a new transaction is priced and signed (default: a second). */
  prepares?: number;
  /** Milliseconds until a replacement is priced and signed again (default: sent at once, as returned). */
  reprices?: number;
}

/** Milliseconds until a cancellation is priced, signed, and sent (facts 16.2). */
const TO_CANCELED = 2000;
/** Milliseconds until the worker finds a nonce used by a block. */
const AFTER_BLOCK = 1000;

export function replaceInWorker(state: ServerState, followed: SentChange, now: number, style: WorkerStyle): void {
  if (followed.record.from === undefined) return void followElsewhere(state, followed, now);
  const { record } = followed;
  if (typeof record.nonce !== "number" || !canBeSigned(record)) return;
  const lifecycle = nextLifecycle(state, followed, now, style);
  const isPriced = style.reprices !== undefined && record.status !== "pending";
  const attempt = { due: now + (style.reprices ?? 0), tries: 0, reprices: isPriced };
  const late = afterOriginal(state, followed, now);
  if (late === undefined && style.reprices === undefined) {
    const following = resubmitToNode(state, { relayer: followed.relayer, lifecycle, attempt }, now);
    if (following) state.lifecycles.set(record.id, following);
    else state.lifecycles.delete(record.id);
  } else state.lifecycles.set(record.id, { ...lifecycle, again: { ...attempt, due: late ?? attempt.due } });
}

/** Has the worker send a cancellation, whose price is not capped (facts 15.1). */
export function cancelInWorker(state: ServerState, followed: SentChange, now: number, style: WorkerStyle): void {
  const lifecycle = nextLifecycle(state, followed, now, style);
  const due = afterOriginal(state, followed, now) ?? now + (style.reprices ?? TO_CANCELED);
  state.lifecycles.set(followed.record.id, { ...lifecycle, again: { due, tries: 0, reprices: true } });
}

/** Returns whether a record can be signed: a `pending` one with a nonce needs a valid receiver (facts 16.3). */
function canBeSigned({ status, to }: Resource): boolean {
  return status !== "pending" || typeof to !== "string" || addressProblem(to) === undefined;
}

function nextLifecycle(
  { lifecycles }: ServerState,
  { record: { id, status } }: SentChange,
  now: number,
  { notices }: WorkerStyle,
): Lifecycle {
  const begun: Lifecycle = { id, next: status === "sent" ? "submitted" : "mined", due: now };
  const known = status === "pending" ? undefined : lifecycles.get(id);
  return { ...begun, ...known, ...(notices !== undefined && { notices }) };
}

/** Returns when the worker finds that the original was mined; undefined if a later version can win (facts 13.2). */
function afterOriginal(state: ServerState, { relayer, old }: SentChange, now: number): number | undefined {
  if (old.status !== "sent") return undefined;
  const network = chainNetwork(state, relayer);
  const chosen = chooseForMining(chainOfNetwork(state, network), chainRules(state, network), String(old.hash), now);
  if (!chosen) return undefined;
  state.chains.set(network.id, chosen.chain);
  return chosen.time + AFTER_BLOCK;
}

function followElsewhere({ lifecycles }: ServerState, { record }: SentChange, now: number): void {
  const { id, status } = record;
  if (status === "submitted")
    lifecycles.set(id, lifecycleFromSubmitted({ id, next: "confirmed", due: now }, record, now));
  else if (status === "sent" && !lifecycles.has(id)) lifecycles.set(id, { id, next: "submitted", due: now });
}

/**
 * A replacement withdraws an accepted cancellation; the service's behavior is unknown (facts 5.4). A marked transfer
 * would look like a cancellation that came too late (facts 5.5), so the mark and the user's reason are removed.
 */
export function withdrawWorkerCancellation({ is_canceled }: Resource): JsonObject {
  return is_canceled === true ? { is_canceled: false, status_reason: null } : {};
}
