import { workerPriceTexts, workerSentPrices } from "../chain/market.ts";
import { addToPool, type BroadcastReply } from "../chain/mining.ts";
import { chainMinedFor, chainNetwork, chainOfNetwork, chainPricing, chainRules } from "../chain/network-chains.ts";
import { type SimMined, signedFromRecord, simAccount } from "../chain/sim-chain.ts";
import { unreachableNode } from "../health/checks.ts";
import type { Attempt, Lifecycle } from "../lifecycle/lifecycle.ts";
import { nextHashAndSignature } from "../lifecycle/numbers.ts";
import { servedBalance } from "../node/served-chain.ts";
import type { Resource } from "../state/collection.ts";
import { type ServerState, updateState } from "../state/state.ts";
import { serverTime } from "../world.ts";

export function submitToNode(
  state: ServerState,
  relayer: Resource,
  record: Resource,
  timestamp: number,
): BroadcastReply["refusal"] | "unreachable" {
  if (unreachableNode(state, relayer) !== undefined) return "unreachable";
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

export function resubmitToNode(
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
  const submitted = { status: "submitted", sent_at: record.sent_at ?? serverTime(timestamp) };
  if (refusal === undefined) updateState(state, { ...version, ...submitted }, timestamp);
  // The service takes this refusal for a transaction that the node already has (facts 15.2).
  else if (refusal === "replacement transaction underpriced") state.transactions.put({ ...record, ...submitted });
  else return { ...rest, again: later };
  return { ...rest, next: "mined", due: timestamp, again: later };
}

function repriceRecord(state: ServerState, relayer: Resource, old: Resource, now: number): Resource | undefined {
  const speed = typeof old.speed === "string" ? old.speed : "fast";
  const prices = workerSentPrices({ ...chainPricing(state, relayer, now), old, speed });
  return prices && { ...old, ...workerPriceTexts(prices), ...nextHashAndSignature(state) };
}

/** Ends a record whose nonce another version used: mined if that was also sent, otherwise failed (facts 16.1). */
function resolveMined(state: ServerState, record: Resource, mined: SimMined, timestamp: number): void {
  const relayer = state.relayers.get(String(record.relayer_id)) ?? record;
  const chain = chainOfNetwork(state, chainNetwork(state, relayer));
  const wasReplaced = chain.dropped.some(
    ({ from, nonce, at }) => from === mined.from && nonce === mined.nonce && at > mined.at,
  );
  const found = { status: "confirmed", confirmed_at: serverTime(timestamp), hash: mined.hash };
  const reason = record.is_canceled === true ? {} : { status_reason: null };
  const onChain = simAccount(chain, mined.from).nonce;
  const status_reason = `Nonce ${mined.nonce} consumed externally (on-chain nonce: ${onChain}). No matching transaction hash found on-chain.`;
  updateState(
    state,
    { ...record, ...(wasReplaced ? { ...found, ...reason } : { status: "failed", status_reason }) },
    timestamp,
  );
}
