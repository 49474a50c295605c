import { addressProblem } from "../../contract/address.ts";
import type { JsonObject } from "../../contract/json.ts";
import { evmSignature, transactionHash } from "../replacement/hash.ts";
import type { Resource } from "../state/collection.ts";
import type { ServerState } from "../state/state.ts";
import { kindOf } from "../transaction/lookup.ts";
import { timestampText } from "../world.ts";
import type { Lifecycle, Step } from "./lifecycle.ts";
import { estimatedGas, marketPrices } from "./market.ts";
import { nextNonce, nextSequence } from "./nonces.ts";

/** A step, with its state and time. */
export interface StepTaken {
  state: ServerState;
  relayer: Resource;
  transaction: Resource;
  lifecycle: Lifecycle;
  timestamp: number;
}

/** The changes of each step to a transaction (facts 5.1). */
export const changesOf: Record<Step, (taken: StepTaken) => JsonObject> = {
  sent: sentChanges,
  submitted: ({ timestamp }) => ({ status: "submitted", sent_at: timestampText(timestamp) }),
  mined: minedChanges,
  confirmed: ({ timestamp }) => ({ status: "confirmed", confirmed_at: timestampText(timestamp) }),
  canceled: () => ({ status: "canceled" }),
  failed: ({ transaction, lifecycle }) => ({
    status: "failed",
    status_reason: lifecycle.why ?? whyFailed(transaction),
  }),
};

function sentChanges({ state, relayer, transaction }: StepTaken): JsonObject {
  const kind = kindOf(relayer);
  if (kind === "evm") return evmSent(state, relayer, transaction);
  const hash = transactionHash(kind, nextHash(state));
  if (kind === "solana") return { status: "sent", hash };
  return { status: "sent", hash, fee: STELLAR_FEE, sequence_number: nextSequence(state, relayer.id) };
}

/** Stroops for one operation, Stellar's minimum. */
const STELLAR_FEE = 100;

/**
 * Returns the changes when an EVM transaction is sent. A transaction that cannot be signed takes a nonce and stays
 * `pending` (facts 13.3).
 */
function evmSent(state: ServerState, relayer: Resource, transaction: Resource): JsonObject {
  const prepared = { nonce: nextNonce(state, relayer.id), ...marketPrices(relayer, transaction) };
  if (typeof transaction.to === "string" && addressProblem(transaction.to)) return prepared;
  return {
    status: "sent",
    ...prepared,
    gas_limit: transaction.gas_limit ?? estimatedGas(transaction),
    ...signed(state),
  };
}

/**
 * Returns the changes when a transaction is mined. The replacement by a cancellation is signed only now, and keeps the
 * original off the chain.
 */
function minedChanges({ state, transaction, lifecycle }: StepTaken): JsonObject {
  if (lifecycle.end !== "canceled") return { status: "mined" };
  state.broadcast.remove(transaction.id);
  return { status: "mined", ...signed(state) };
}

/** Returns a new hash with its signature: no two are the same. */
export function signed(state: ServerState): JsonObject {
  const number = nextHash(state);
  return { hash: transactionHash("evm", number), signature: evmSignature(number) };
}

function nextHash(state: ServerState): number {
  state.hashes += 1;
  return state.hashes;
}

/**
 * Returns why a transaction failed: a pending one jammed its nonce; a submitted one lost to an earlier version of
 * itself (facts 13.1 and 13.3).
 */
function whyFailed({ status, nonce }: Resource): string {
  if (status === "pending") return "Transaction in Pending state for over 2 minutes. Replacing with NOOP.";
  const onChain = Number(nonce) + 1;
  return `Nonce ${Number(nonce)} consumed externally (on-chain nonce: ${onChain}). No matching transaction hash found on-chain.`;
}
