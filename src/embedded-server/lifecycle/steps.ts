import { addressProblem } from "../../contract/address.ts";
import type { JsonObject } from "../../contract/json.ts";
import { marketAt, networkOf } from "../chain/chains.ts";
import { capOf, estimatedGas, marketPrices } from "../chain/market.ts";
import { transactionHash } from "../replacement/hash.ts";
import type { Resource } from "../state/collection.ts";
import type { ServerState } from "../state/state.ts";
import { kindOf } from "../transaction/lookup.ts";
import { capped, priceTexts } from "../worker/price.ts";
import { sendToNode } from "../worker/submit.ts";
import { timestampText } from "../world.ts";
import { lifecycleFromSent, lifecycleFromSubmitted, type Step } from "./lifecycle.ts";
import { minedStep } from "./mined.ts";
import { nextNonce, nextSequence } from "./nonces.ts";
import { nextHash, signed } from "./signed.ts";
import type { StepResult, StepTaken } from "./step.ts";

/** The steps (facts 5.1). */
export const steps: Record<Step, (taken: StepTaken) => StepResult> = {
  sent: sentStep,
  submitted({ state, relayer, transaction, lifecycle, timestamp }) {
    // The worker that sends was dead when the transaction was signed.
    if (lifecycle.isUnsent) sendToNode(state, relayer, transaction, timestamp);
    const second = state.faults?.sendsTwice ? sentAgain({ state, relayer, transaction, timestamp }) : {};
    const changes = { status: "submitted", sent_at: timestampText(timestamp), ...second };
    return { changes, following: lifecycleFromSubmitted(lifecycle, transaction, timestamp) };
  },
  mined: minedStep,
  confirmed: ({ timestamp }) => ({ changes: { status: "confirmed", confirmed_at: timestampText(timestamp) } }),
  canceled: () => ({ changes: { status: "canceled" } }),
  failed: ({ transaction, lifecycle }) => ({
    changes: { status: "failed", status_reason: lifecycle.why ?? whyFailed(transaction) },
  }),
  gap: () => ({ changes: {} }),
};

function sentStep({ state, relayer, transaction, lifecycle, timestamp }: StepTaken): StepResult {
  const kind = kindOf(relayer);
  if (kind === "evm") return evmSent({ state, relayer, transaction, lifecycle, timestamp });
  const hash = transactionHash(kind, nextHash(state));
  const stellar = kind === "stellar" ? { fee: STELLAR_FEE, sequence_number: nextSequence(state, relayer.id) } : {};
  const changes = { status: "sent", hash, ...stellar };
  return { changes, following: lifecycleFromSent(lifecycle, changes, timestamp) };
}

/** Stroops for one operation, Stellar's minimum. */
const STELLAR_FEE = 100;

/**
 * Prices, signs, and sends an EVM transaction. One that cannot be signed takes a nonce and stays `pending` (facts
 * 13.3); one that the node refuses, or whose response is lost, stays `sent`, without `sent_at` (facts 16.4).
 */
function evmSent({ state, relayer, transaction, lifecycle, timestamp }: StepTaken): StepResult {
  const prepared = { nonce: nextNonce(state, relayer.id), ...speedPrices(state, relayer, transaction, timestamp) };
  if (typeof transaction.to === "string" && addressProblem(transaction.to)) {
    const jammed = { ...transaction, ...prepared };
    return { changes: prepared, following: lifecycleFromSent(lifecycle, jammed, timestamp) };
  }
  const gas_limit = transaction.gas_limit ?? estimatedGas(transaction);
  const changes = { status: "sent", ...prepared, gas_limit, ...signed(state) };
  const following = lifecycleFromSent(lifecycle, changes, timestamp);
  if (state.faults?.isDead("submit")) return { changes, following: { ...following, isUnsent: true } };
  const refusal = sendToNode(state, relayer, { ...transaction, ...changes }, timestamp);
  if (refusal !== undefined) return { changes };
  if (state.faults?.losesResponse()) return { changes, following: { ...following, next: "mined" } };
  return { changes, following };
}

/** Sends an EVM transaction a second time, with the next nonce, and returns what the record then shows (facts 15.9). */
function sentAgain({ state, relayer, transaction, timestamp }: Omit<StepTaken, "lifecycle">): JsonObject {
  if (kindOf(relayer) !== "evm") return {};
  const second = { nonce: nextNonce(state, relayer.id), ...signed(state) };
  return sendToNode(state, relayer, { ...transaction, ...second }, timestamp) === undefined ? second : {};
}

/** Returns the market's prices for the speed of a transaction, silently capped (facts 4.3, 5.3). */
function speedPrices(state: ServerState, relayer: Resource, { speed }: Resource, now: number): JsonObject {
  if (typeof speed !== "string") return {};
  const network = networkOf(state, relayer);
  const market = marketAt(state, network, now);
  return priceTexts(capped(marketPrices({ market, network, relayer, speed }), capOf(relayer)));
}

/** Returns why a transaction failed that was never signed, or that an earlier version of relayctl knew to have lost. */
function whyFailed({ status, nonce }: Resource): string {
  if (status === "pending") return "Transaction in Pending state for over 2 minutes. Replacing with NOOP.";
  return `Nonce ${Number(nonce)} consumed externally (on-chain nonce: ${Number(nonce) + 1}). No matching transaction hash found on-chain.`;
}
