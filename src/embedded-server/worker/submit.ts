import { addressProblem } from "../../contract/address.ts";
import type { JsonObject } from "../../contract/json.ts";
import { workerPriceTexts, workerSentPrices } from "../chain/market.ts";
import { addToPool, type BroadcastReply, chooseForMining } from "../chain/mining.ts";
import { chainMinedFor, chainNetwork, chainOfNetwork, chainPricing, chainRules } from "../chain/network-chains.ts";
import { accountOf, type SimMined, signedFromRecord } from "../chain/sim-chain.ts";
import { unreachableHealthNode } from "../health/checks.ts";
import { type Attempt, type Lifecycle, lifecycleFromSubmitted } from "../lifecycle/lifecycle.ts";
import { signedNumbers } from "../lifecycle/numbers.ts";
import { servedBalance } from "../node/served-chain.ts";
import type { Resource } from "../state/collection.ts";
import { type ServerState, updateState } from "../state/state.ts";
import { timestampText } from "../world.ts";

export function submitToNode(
  state: ServerState,
  relayer: Resource,
  record: Resource,
  timestamp: number,
): BroadcastReply["refusal"] | "unreachable" {
  if (unreachableHealthNode(state, relayer) !== undefined) return "unreachable";
  const network = chainNetwork(state, relayer);
  const sent = signedFromRecord(record, timestamp);
  const { chain, refusal } = addToPool(
    chainOfNetwork(state, network),
    chainRules(state, network),
    sent,
    servedBalance(state, relayer, timestamp),
  );
  state.chains.set(network.id, chain);
  return refusal;
}

/** Milliseconds until the worker tries again, which doubles each time (facts 5.1, 16.1). */
const RETRY = 240_000;

export function submitAgain(
  state: ServerState,
  { relayer, lifecycle, attempt }: { relayer: Resource; lifecycle: Lifecycle; attempt: Attempt },
  timestamp: number,
): Lifecycle | undefined {
  const { again: _, ...rest } = lifecycle;
  const record = state.transactions.get(lifecycle.id);
  const mined = record && chainMinedFor(state, record);
  // The status check notices that it is on the chain.
  if (!record || mined?.hash === record.hash) return rest;
  const later = { ...attempt, due: timestamp + RETRY * 2 ** attempt.tries, tries: attempt.tries + 1 };
  if (
    chainOfNetwork(state, chainNetwork(state, relayer)).waiting.some((each) => each.hash === record.hash) &&
    attempt.tries > 0
  )
    return { ...rest, again: later };
  const version = attempt.reprices ? repriceRecord(state, relayer, record, timestamp) : record;
  // The worker sends nothing, and reports nothing (facts 15.1).
  if (!version) return { ...rest, again: later };
  const refusal = submitToNode(state, relayer, version, timestamp);
  if (refusal === "nonce too low" && mined) return void resolveMined(state, record, mined, timestamp);
  const submitted = { status: "submitted", sent_at: record.sent_at ?? timestampText(timestamp) };
  if (refusal === undefined) updateState(state, { ...version, ...submitted }, timestamp);
  // The service takes this refusal for a transaction that the node already has (facts 15.2).
  else if (refusal === "replacement transaction underpriced") state.transactions.put({ ...record, ...submitted });
  else return { ...rest, again: later };
  return { ...rest, next: "mined", due: timestamp, again: later };
}

function repriceRecord(state: ServerState, relayer: Resource, old: Resource, now: number): Resource | undefined {
  const speed = typeof old.speed === "string" ? old.speed : "fast";
  const prices = workerSentPrices({ ...chainPricing(state, relayer, now), old, speed });
  return prices && { ...old, ...workerPriceTexts(prices), ...signedNumbers(state) };
}

/** Ends a record whose nonce another version used: mined if that was also sent, otherwise failed (facts 16.1). */
function resolveMined(state: ServerState, record: Resource, mined: SimMined, timestamp: number): void {
  const relayer = state.relayers.get(String(record.relayer_id)) ?? record;
  const chain = chainOfNetwork(state, chainNetwork(state, relayer));
  const wasReplaced = chain.dropped.some(
    ({ from, nonce, at }) => from === mined.from && nonce === mined.nonce && at > mined.at,
  );
  const found = { status: "confirmed", confirmed_at: timestampText(timestamp), hash: mined.hash };
  const reason = record.is_canceled === true ? {} : { status_reason: null };
  const onChain = accountOf(chain, mined.from).nonce;
  const status_reason = `Nonce ${mined.nonce} consumed externally (on-chain nonce: ${onChain}). No matching transaction hash found on-chain.`;
  updateState(
    state,
    { ...record, ...(wasReplaced ? { ...found, ...reason } : { status: "failed", status_reason }) },
    timestamp,
  );
}

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

export function followReplacement(state: ServerState, followed: SentChange, now: number, style: WorkerStyle): void {
  if (followed.record.from === undefined) return void followElsewhere(state, followed, now);
  const { record } = followed;
  if (typeof record.nonce !== "number" || !canBeSigned(record)) return;
  const lifecycle = buildLifecycle(state, followed, now, style);
  const isPriced = style.reprices !== undefined && record.status !== "pending";
  const attempt = { due: now + (style.reprices ?? 0), tries: 0, reprices: isPriced };
  const late = afterOriginal(state, followed, now);
  if (late === undefined && style.reprices === undefined) {
    const following = submitAgain(state, { relayer: followed.relayer, lifecycle, attempt }, now);
    if (following) state.lifecycles.set(record.id, following);
    else state.lifecycles.delete(record.id);
  } else state.lifecycles.set(record.id, { ...lifecycle, again: { ...attempt, due: late ?? attempt.due } });
}

/** Has the worker send a cancellation, whose price is not capped (facts 15.1). */
export function followCancellation(state: ServerState, followed: SentChange, now: number, style: WorkerStyle): void {
  const lifecycle = buildLifecycle(state, followed, now, style);
  const due = afterOriginal(state, followed, now) ?? now + (style.reprices ?? TO_CANCELED);
  state.lifecycles.set(followed.record.id, { ...lifecycle, again: { due, tries: 0, reprices: true } });
}

/** Returns whether a record can be signed: a `pending` one with a nonce needs a valid receiver (facts 16.3). */
function canBeSigned({ status, to }: Resource): boolean {
  return status !== "pending" || typeof to !== "string" || addressProblem(to) === undefined;
}

function buildLifecycle(
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
