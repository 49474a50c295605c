import { addressProblem } from "../../contract/address.ts";
import type { JsonObject } from "../../contract/json.ts";
import { relayerPolicies } from "../../contract/policy.ts";
import { receivedTime } from "../../contract/reply/received-time.ts";
import { isFinal, isPending } from "../../contract/transaction/transaction.ts";
import { contractCallOutcome } from "../chain/contracts.ts";
import { marketGasEstimate, marketPrices, workerPriceTexts, workerSpeedPrices } from "../chain/market.ts";
import { chooseForMining, mineBlocks, nextForMining } from "../chain/mining.ts";
import { chainMinedFor, chainNetwork, chainOfNetwork, chainPricing, chainRules } from "../chain/network-chains.ts";
import { emptySimChain, type SimMined, simChainTime } from "../chain/sim-chain.ts";
import { hashDigits, hexDigits } from "../digits.ts";
import { checkHealthAgain, isNodeStuck, unreachableNode } from "../health/checks.ts";
import type { Resource } from "../state/collection.ts";
import { type ServerState, stateBlockTime, updateState } from "../state/state.ts";
import { noopTransactionFields } from "../transaction/fields.ts";
import { servedKind } from "../transaction/lookup.ts";
import { resubmitToNode, submitToNode } from "../worker/submit.ts";
import { serverTime } from "../world.ts";
import { type Lifecycle, type LifeStep, lifecycleFromSent, lifecycleFromSubmitted, WORKERS } from "./lifecycle.ts";
import { nextHashAndSignature, nextHashNumber, nextNonceNumber, nextSequenceNumber } from "./numbers.ts";

/** Returns the first lifecycle whose `valid_until` has passed and whose transaction is not on the chain yet. */
function nextExpiry(state: ServerState, now: number): { lifecycle: Lifecycle; due: number } | undefined {
  let first: { lifecycle: Lifecycle; due: number } | undefined;
  for (const lifecycle of state.lifecycles.values()) {
    const { id, until } = lifecycle;
    if (until === undefined || until > now || (first && first.due <= until)) continue;
    const transaction = state.transactions.get(id);
    const isOpen = transaction && isPending(transaction) && chainMinedFor(state, transaction) === undefined;
    if (isOpen) first = { lifecycle, due: until };
  }
  return first;
}

/** Expires a transaction. A sent EVM transaction becomes a no-op, and is confirmed (facts 5.1). */
function expireRecord(state: ServerState, lifecycle: Lifecycle, timestamp: number): void {
  const { id } = lifecycle;
  const transaction = state.transactions.get(id);
  state.lifecycles.delete(id);
  if (!transaction) return;
  if (transaction.from === undefined)
    updateState(state, { ...transaction, ...ENDED, ...boundsReason(transaction) }, timestamp);
  else if (transaction.status === "pending") dropRecord(state, transaction, timestamp);
  else replaceByNoop(state, transaction, lifecycle, timestamp);
}

function replaceByNoop(state: ServerState, transaction: Resource, lifecycle: Lifecycle, timestamp: number): void {
  const { until: _, ...rest } = lifecycle;
  const at = transaction.sent_at ?? serverTime(timestamp);
  state.transactions.put({
    ...transaction,
    ...noopTransactionFields(transaction),
    ...WHY,
    status: "submitted",
    sent_at: at,
  });
  const relayer = state.relayers.get(String(transaction.relayer_id));
  const attempt = { due: timestamp, tries: 0, reprices: true };
  const following =
    relayer && resubmitToNode(state, { relayer, lifecycle: { ...rest, next: "mined" }, attempt }, timestamp);
  if (following) state.lifecycles.set(lifecycle.id, following);
}

const ENDED = { status: "expired" };
const WHY = { status_reason: "Transaction is expired. Replacing with NOOP." };

function boundsReason({ source_account }: Resource): JsonObject {
  return source_account === undefined ? {} : { status_reason: "Transaction time_bounds expired" };
}

function dropRecord(state: ServerState, transaction: Resource, timestamp: number): void {
  const failed = { ...transaction, ...WHY, status: "failed" };
  updateState(state, failed, timestamp);
  if (typeof transaction.nonce === "number") fillGap(state, failed, timestamp);
}

/** Fills it with a no-op, so that later ones can be mined (facts 13.3, 16.3). */
function fillGap(
  state: ServerState,
  failed: Resource,
  timestamp: number,
  { notices }: Pick<Lifecycle, "notices"> = {},
): void {
  const relayer = state.relayers.get(String(failed.relayer_id));
  if (!relayer) return;
  const network = chainNetwork(state, relayer);
  const at = serverTime(timestamp);
  const filler: Resource = {
    ...failed,
    ...noopTransactionFields(failed),
    ...workerPriceTexts(marketPrices({ ...chainPricing(state, relayer, timestamp), speed: "fast" })),
    ...nextHashAndSignature(state),
    id: madeId(state.hashes),
    status: "submitted",
    status_reason: `Gap-filling NOOP for nonce ${Number(failed.nonce)}`,
    created_at: at,
    sent_at: at,
  };
  updateState(state, filler, timestamp);
  submitToNode(state, relayer, filler, timestamp);
  if (notices !== undefined) putIntoNextBlock(state, network, filler, timestamp);
  const { id } = filler;
  state.lifecycles.set(id, { id, next: "mined", due: timestamp, ...(notices !== undefined && { notices }) });
}

function putIntoNextBlock(state: ServerState, network: Resource, { hash }: Resource, timestamp: number): void {
  const chosen = chooseForMining(chainOfNetwork(state, network), chainRules(state, network), String(hash), timestamp);
  if (chosen) state.chains.set(network.id, chosen.chain);
}

/** Returns an ID in the form of a UUID, the same for the same number: steps are deterministic. */
function madeId(number: number): string {
  return hexDigits(number, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5");
}

/** Milliseconds from `mined` to `confirmed`, so that a user sees it. */
const TO_CONFIRMED = 15_000;
/** Milliseconds between the status checks of the real service (facts 5.1). */
const NEXT_CHECK = 10_000;

/** Returns when the service notices that the record's version was mined; it does not look for others. */
function noticedAt(state: ServerState, lifecycle: Lifecycle): number | undefined {
  const record = state.transactions.get(lifecycle.id);
  const mined = record && chainMinedFor(state, record);
  const relayer = state.relayers.get(String(record?.relayer_id));
  if (!mined || !relayer || mined.hash !== record?.hash || isNodeStuck(state, relayer)) return undefined;
  const time = simChainTime(mined.block, stateBlockTime(chainNetwork(state, relayer)));
  return Math.max(time + (lifecycle.notices ?? 0), lifecycle.due);
}

/** Takes the step of a mined transaction. The real service rarely shows `mined` (facts 13.6). */
function minedStep({ state, relayer, transaction, lifecycle, timestamp }: StepTaken): StepResult {
  const mined = chainMinedFor(state, transaction);
  if (!mined) return { changes: {} };
  const { isReverted, returnData } = contractCallOutcome(mined);
  if (isReverted) return { changes: { status: "failed", status_reason: revertedReason(relayer, returnData) } };
  const network = chainNetwork(state, relayer);
  const deepest = mined.block + Number(network.required_confirmations ?? 1);
  const confirmed = simChainTime(deepest, stateBlockTime(network));
  const next = finalStep(transaction, mined);
  const { again: _, ...rest } = lifecycle;
  if (lifecycle.notices === undefined) {
    const following = { ...rest, next, due: Math.max(timestamp + TO_CONFIRMED, confirmed) };
    return { changes: { status: "mined" }, following };
  }
  if (timestamp < confirmed) {
    return {
      changes: { status: "mined" },
      following: { ...rest, next, due: Math.max(timestamp + NEXT_CHECK, confirmed) },
    };
  }
  const changes = next === "canceled" ? { status: next } : { status: next, confirmed_at: serverTime(timestamp) };
  return { changes };
}

const MOST_DIGITS = 4096;

/** Returns why a reverted transaction failed; the relayer's policy adds the revert's data (facts 5.1). */
function revertedReason(relayer: Resource, returnData: string): string {
  if (relayerPolicies(relayer).include_revert_data !== true)
    return "Transaction reverted on-chain (receipt status: failed)";
  const digits = returnData.slice(2);
  const shown = digits.length > MOST_DIGITS ? `${digits.slice(0, MOST_DIGITS)}...(truncated)` : digits;
  return `Transaction reverted on-chain (revert_data: 0x${shown})`;
}

/** Returns how a mined transaction ends: `canceled` only if the cancellation was mined (facts 13.2). */
function finalStep({ is_canceled }: Resource, { from, to, value, data }: SimMined): LifeStep {
  const didNothing = to?.toLowerCase() === from && value === 0n && data === "0x";
  return is_canceled === true && didNothing ? "canceled" : "confirmed";
}

/** The steps (facts 5.1). */
const steps: Record<LifeStep, (taken: StepTaken) => StepResult> = {
  sent: sentStep,
  submitted({ state, relayer, transaction, lifecycle, timestamp }) {
    // The worker that sends was dead when the transaction was signed.
    if (lifecycle.isUnsent) submitToNode(state, relayer, transaction, timestamp);
    const second = state.faults?.sendsTwice ? sentAgain({ state, relayer, transaction, timestamp }) : {};
    const changes = { status: "submitted", sent_at: serverTime(timestamp), ...second };
    return { changes, following: lifecycleFromSubmitted(lifecycle, transaction, timestamp) };
  },
  mined: minedStep,
  confirmed: ({ timestamp }) => ({ changes: { status: "confirmed", confirmed_at: serverTime(timestamp) } }),
  canceled: () => ({ changes: { status: "canceled" } }),
  failed: ({ transaction, lifecycle }) => ({
    changes: { status: "failed", status_reason: lifecycle.why ?? whyFailed(transaction) },
  }),
  gap: () => ({ changes: {} }),
};

function sentStep({ state, relayer, transaction, lifecycle, timestamp }: StepTaken): StepResult {
  const kind = servedKind(relayer);
  if (kind === "evm") return evmSent({ state, relayer, transaction, lifecycle, timestamp });
  const hash = hashDigits(kind, nextHashNumber(state));
  const stellar =
    kind === "stellar" ? { fee: STELLAR_FEE, sequence_number: nextSequenceNumber(state, relayer.id) } : {};
  const changes = { status: "sent", hash, ...stellar };
  return { changes, following: lifecycleFromSent(lifecycle, changes, timestamp) };
}

/** Stellar's minimum for one operation, in stroops. */
const STELLAR_FEE = 100;

/** Prices, signs, and sends an EVM transaction; without a signature it stays `pending` (facts 13.3, 16.4). */
function evmSent({ state, relayer, transaction, lifecycle, timestamp }: StepTaken): StepResult {
  const prepared = {
    nonce: nextNonceNumber(state, relayer.id),
    ...workerSpeedPrices(transaction, chainPricing(state, relayer, timestamp)),
  };
  if (typeof transaction.to === "string" && addressProblem(transaction.to)) {
    const jammed = { ...transaction, ...prepared };
    return { changes: prepared, following: lifecycleFromSent(lifecycle, jammed, timestamp) };
  }
  const gas_limit = transaction.gas_limit ?? marketGasEstimate(transaction);
  const changes = { status: "sent", ...prepared, gas_limit, ...nextHashAndSignature(state) };
  const following = lifecycleFromSent(lifecycle, changes, timestamp);
  if (state.faults?.isDead("submit")) return { changes, following: { ...following, isUnsent: true } };
  const refusal = submitToNode(state, relayer, { ...transaction, ...changes }, timestamp);
  if (refusal !== undefined) return { changes };
  if (state.faults?.losesResponse()) return { changes, following: { ...following, next: "mined" } };
  return { changes, following };
}

/** Resends an EVM transaction with the next nonce, and returns what the record then shows (facts 15.9). */
function sentAgain({ state, relayer, transaction, timestamp }: Omit<StepTaken, "lifecycle">): JsonObject {
  if (servedKind(relayer) !== "evm") return {};
  const second = { nonce: nextNonceNumber(state, relayer.id), ...nextHashAndSignature(state) };
  return submitToNode(state, relayer, { ...transaction, ...second }, timestamp) === undefined ? second : {};
}

/** Returns why a transaction failed that was never signed, or that an earlier version of relayctl knew to have lost. */
function whyFailed({ status, nonce }: Resource): string {
  if (status === "pending") return "Transaction in Pending state for over 2 minutes. Replacing with NOOP.";
  return `Nonce ${Number(nonce)} consumed externally (on-chain nonce: ${Number(nonce) + 1}). No matching transaction hash found on-chain.`;
}

interface Due {
  due: number;
  take(timestamp: number): void;
}

export function advanceState(state: ServerState, now: number): void {
  let timestamp = 0;
  for (let next = nextAdvance(state, now); next; next = nextAdvance(state, now)) {
    timestamp = Math.max(timestamp, next.due);
    next.take(timestamp);
  }
}

/** Returns the earliest due event. A run of payments has thousands of lifecycles, few of which are examined. */
export function nextAdvance(state: ServerState, now: number): Due | undefined {
  let first: Due | undefined;
  const isEarlier = (due: number) => due <= now && (!first || due < first.due);
  const offer = (due: number | undefined, take: Due["take"]) => {
    if (due !== undefined && isEarlier(due)) first = { due, take };
  };
  for (const { due, take } of dueBlocks(state)) offer(due, take);
  const isSubmitting = !state.faults?.isDead("submit");
  for (const lifecycle of state.lifecycles.values()) {
    // No step is due before the time of its lifecycle.
    if (isEarlier(lifecycle.due))
      offer(dueTime(state, lifecycle), (timestamp) => takeStep(state, lifecycle, timestamp));
    if (isSubmitting && lifecycle.again)
      offer(lifecycle.again.due, (timestamp) => tryAgain(state, lifecycle, timestamp));
  }
  for (const plan of state.planned ?? []) offer(plan.due, (timestamp) => carryOut(state, plan, timestamp));
  for (const check of state.checks.values()) offer(check.due, (timestamp) => checkHealthAgain(state, check, timestamp));
  const expiry = nextExpiry(state, now);
  const [expired] = expiriesIn(state);
  if (expired) offer(expired[1], () => forgetExpiry(state, expired[0]));
  if (expiry) offer(expiry.due, (timestamp) => expireRecord(state, expiry.lifecycle, timestamp));
  return first;
}

function carryOut(state: ServerState, plan: NonNullable<ServerState["planned"]>[number], timestamp: number): void {
  state.planned = (state.planned ?? []).filter((each) => each !== plan);
  plan.take(state, timestamp);
}

function expiriesIn({ expiry, transactions }: ServerState): ReadonlyMap<string, number> {
  if (!expiry) return new Map();
  if (!expiry.due) {
    const ended = transactions.held().filter(({ status }) => isFinal(String(status)));
    const dues = ended.map(
      ({ id, confirmed_at, created_at }) => [id, receivedTime(confirmed_at ?? created_at) || 0] as const,
    );
    expiry.due = new Map(dues.map(([id, time]) => [id, time + expiry.after] as const).sort(([, a], [, b]) => a - b));
  }
  return expiry.due;
}

function forgetExpiry({ expiry, transactions }: ServerState, id: string): void {
  expiry?.due?.delete(id);
  transactions.remove(id);
}

function dueBlocks(state: ServerState): Due[] {
  return [...state.chains].flatMap(([id, chain]) => {
    if (chain.waiting.length === 0) return [];
    const rules = chainRules(state, state.networks.get(id) ?? { id });
    const next = nextForMining(chain, rules);
    if (!next) return [];
    const take = () => {
      state.chains.set(id, mineBlocks(state.chains.get(id) ?? emptySimChain(), next.transaction, next.block));
    };
    return [{ due: simChainTime(next.block, rules.blockTime), take }];
  });
}

/** Returns when a step is due; undefined while it waits for the chain, a node, or a dead worker. */
function dueTime(state: ServerState, lifecycle: Lifecycle): number | undefined {
  if (state.faults?.isDead(WORKERS[lifecycle.next])) return undefined;
  if (lifecycle.next === "mined") return noticedAt(state, lifecycle);
  if (lifecycle.next !== "sent") return lifecycle.due;
  const relayer = state.relayers.get(String(state.transactions.get(lifecycle.id)?.relayer_id));
  return relayer && unreachableNode(state, relayer) !== undefined ? undefined : lifecycle.due;
}

/** Takes a step, unless the transaction's relayer was deleted meanwhile. */
function takeStep(state: ServerState, lifecycle: Lifecycle, timestamp: number): void {
  state.lifecycles.delete(lifecycle.id);
  const transaction = state.transactions.get(lifecycle.id);
  const relayer = state.relayers.get(String(transaction?.relayer_id));
  if (!transaction || !relayer) return;
  const { changes, following } = steps[lifecycle.next]({ state, relayer, transaction, lifecycle, timestamp });
  const changed = { ...transaction, ...changes };
  if (changed.status === transaction.status) state.transactions.put(changed);
  else updateState(state, changed, timestamp);
  if (following) state.lifecycles.set(lifecycle.id, following);
  if (lifecycle.next === "gap") fillGap(state, changed, timestamp, lifecycle);
  const leavesGap =
    lifecycle.next === "failed" && transaction.status === "pending" && typeof transaction.nonce === "number";
  if (leavesGap) leaveGap(state, changed, lifecycle, timestamp);
}

/** Milliseconds until a jammed transaction's nonce is filled (facts 16.3). */
const TO_FILLED = 67_000;

/** Has an unsent transaction's nonce filled: at once, or as late as the real service. */
function leaveGap(state: ServerState, failed: Resource, { notices }: Lifecycle, timestamp: number): void {
  if (notices === undefined) fillGap(state, failed, timestamp);
  else state.lifecycles.set(failed.id, { id: failed.id, next: "gap", due: timestamp + TO_FILLED, notices });
}

function tryAgain(state: ServerState, lifecycle: Lifecycle, timestamp: number): void {
  const { again: attempt, ...rest } = lifecycle;
  const transaction = state.transactions.get(lifecycle.id);
  const relayer = state.relayers.get(String(transaction?.relayer_id));
  const isOpen = transaction && isPending(transaction) && relayer;
  const following = isOpen && attempt ? resubmitToNode(state, { relayer, lifecycle, attempt }, timestamp) : rest;
  if (following) state.lifecycles.set(lifecycle.id, following);
  else state.lifecycles.delete(lifecycle.id);
}

interface StepTaken {
  state: ServerState;
  relayer: Resource;
  transaction: Resource;
  lifecycle: Lifecycle;
  timestamp: number;
}

interface StepResult {
  changes: JsonObject;
  following?: Lifecycle;
}
