import type { JsonObject } from "../../contract/json.ts";
import { isPending } from "../../contract/transaction/transaction-state.ts";
import { chainOf, marketAt, minedFor, networkOf, rulesOf } from "../chain/chains.ts";
import { marketPrices } from "../chain/market.ts";
import { choose } from "../chain/mempool.ts";
import { hexDigits } from "../digits.ts";
import type { Resource } from "../state/collection.ts";
import { type ServerState, update } from "../state/state.ts";
import { noopFields } from "../transaction/fields.ts";
import { priceTexts } from "../worker/price.ts";
import { sendAgain, sendToNode } from "../worker/submit.ts";
import { timestampText } from "../world.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { signed } from "./signed.ts";

/** Returns the first lifecycle whose `valid_until` has passed by now and whose transaction is not on the chain yet. */
export function nextExpiry(state: ServerState, now: number): { lifecycle: Lifecycle; due: number } | undefined {
  let first: { lifecycle: Lifecycle; due: number } | undefined;
  for (const lifecycle of state.lifecycles.values()) {
    const { id, until } = lifecycle;
    if (until === undefined || until > now || (first && first.due <= until)) continue;
    const transaction = state.transactions.get(id);
    const isOpen = transaction && isPending(transaction) && minedFor(state, transaction) === undefined;
    if (isOpen) first = { lifecycle, due: until };
  }
  return first;
}

/** Expires a transaction. On EVM a sent one becomes one that does nothing, and is confirmed (facts 5.1). */
export function expire(state: ServerState, lifecycle: Lifecycle, timestamp: number): void {
  const { id } = lifecycle;
  const transaction = state.transactions.get(id);
  state.lifecycles.delete(id);
  if (!transaction) return;
  if (transaction.from === undefined)
    update(state, { ...transaction, ...ENDED, ...boundsReason(transaction) }, timestamp);
  else if (transaction.status === "pending") drop(state, transaction, timestamp);
  else replaceByNoop(state, transaction, lifecycle, timestamp);
}

function replaceByNoop(state: ServerState, transaction: Resource, lifecycle: Lifecycle, timestamp: number): void {
  const { until: _, ...rest } = lifecycle;
  const at = transaction.sent_at ?? timestampText(timestamp);
  state.transactions.put({ ...transaction, ...noopFields(transaction), ...WHY, status: "submitted", sent_at: at });
  const relayer = state.relayers.get(String(transaction.relayer_id));
  const attempt = { due: timestamp, tries: 0, reprices: true };
  const following = relayer && sendAgain(state, { relayer, lifecycle: { ...rest, next: "mined" }, attempt }, timestamp);
  if (following) state.lifecycles.set(lifecycle.id, following);
}

const ENDED = { status: "expired" };
const WHY = { status_reason: "Transaction is expired. Replacing with NOOP." };

function boundsReason({ source_account }: Resource): JsonObject {
  return source_account === undefined ? {} : { status_reason: "Transaction time_bounds expired" };
}

function drop(state: ServerState, transaction: Resource, timestamp: number): void {
  const failed = { ...transaction, ...WHY, status: "failed" };
  update(state, failed, timestamp);
  if (typeof transaction.nonce === "number") fillGap(state, failed, timestamp);
}

/**
 * Fills the nonce of a transaction that failed before it was sent: the service sends a transaction that does nothing,
 * so that the later ones can be mined (facts 13.3). As with the real service, it is in the next block (facts 16.3).
 */
export function fillGap(
  state: ServerState,
  failed: Resource,
  timestamp: number,
  { notices }: Pick<Lifecycle, "notices"> = {},
): void {
  const relayer = state.relayers.get(String(failed.relayer_id));
  if (!relayer) return;
  const network = networkOf(state, relayer);
  const at = timestampText(timestamp);
  const filler: Resource = {
    ...failed,
    ...noopFields(failed),
    ...priceTexts(marketPrices({ market: marketAt(state, network, timestamp), network, relayer, speed: "fast" })),
    ...signed(state),
    id: madeId(state.hashes),
    status: "submitted",
    status_reason: `Gap-filling NOOP for nonce ${Number(failed.nonce)}`,
    created_at: at,
    sent_at: at,
  };
  update(state, filler, timestamp);
  sendToNode(state, relayer, filler, timestamp);
  if (notices !== undefined) putIntoNextBlock(state, network, filler, timestamp);
  const { id } = filler;
  state.lifecycles.set(id, { id, next: "mined", due: timestamp, ...(notices !== undefined && { notices }) });
}

function putIntoNextBlock(state: ServerState, network: Resource, { hash }: Resource, timestamp: number): void {
  const chosen = choose(chainOf(state, network), rulesOf(state, network), String(hash), timestamp);
  if (chosen) state.chains.set(network.id, chosen.chain);
}

/** Returns an ID in the form of a UUID, the same for the same number: steps are deterministic. */
function madeId(number: number): string {
  return hexDigits(number, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5");
}
