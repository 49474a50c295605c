import { addressProblem } from "../../contract/address.ts";
import type { JsonObject } from "../../contract/json.ts";
import { kindOf } from "../relayer-kind.ts";
import { evmSignature, transactionHash } from "../replacement/hash.ts";
import type { Resource } from "../state/collection.ts";
import type { DemoState } from "../state/state.ts";
import { timestampText } from "../timestamp.ts";
import type { Lifecycle, Step } from "./lifecycle.ts";
import { estimatedGas, marketPrices } from "./market.ts";
import { nextNonce, nextSequence } from "./nonces.ts";

/** A step as it is taken. */
export interface Taken {
  state: DemoState;
  relayer: Resource;
  transaction: Resource;
  lifecycle: Lifecycle;
  timestamp: number;
}

/** What each step does to a transaction (facts 5.1). */
export const changesOf: Record<Step, (taken: Taken) => JsonObject> = {
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

function sentChanges({ state, relayer, transaction }: Taken): JsonObject {
  const kind = kindOf(relayer);
  if (kind === "evm") return evmSent(state, relayer, transaction);
  const hash = transactionHash(kind, nextHash(state));
  if (kind === "solana") return { status: "sent", hash };
  return { status: "sent", hash, fee: STELLAR_FEE, sequence_number: nextSequence(state, relayer.id) };
}

/** Stroops for one operation, the least that Stellar takes. */
const STELLAR_FEE = 100;

/** A transaction that cannot be signed takes a nonce and stays `pending` (facts 13.3). */
function evmSent(state: DemoState, relayer: Resource, transaction: Resource): JsonObject {
  const prepared = { nonce: nextNonce(state, relayer.id), ...marketPrices(relayer, transaction) };
  if (typeof transaction.to === "string" && addressProblem(transaction.to)) return prepared;
  return {
    status: "sent",
    ...prepared,
    gas_limit: transaction.gas_limit ?? estimatedGas(transaction),
    ...signed(state),
  };
}

/** What a cancellation puts in place of a transaction is signed as late as this, and takes the original off the chain. */
function minedChanges({ state, transaction, lifecycle }: Taken): JsonObject {
  if (lifecycle.end !== "canceled") return { status: "mined" };
  state.broadcast.remove(transaction.id);
  return { status: "mined", ...signed(state) };
}

/** A new hash with its signature: no two signings are alike. */
export function signed(state: DemoState): JsonObject {
  const number = nextHash(state);
  return { hash: transactionHash("evm", number), signature: evmSignature(number) };
}

function nextHash(state: DemoState): number {
  state.hashes += 1;
  return state.hashes;
}

/**
 * A pending transaction jammed its nonce; a submitted one lost to an earlier version of itself (facts 13.1 and 13.3).
 */
function whyFailed({ status, nonce }: Resource): string {
  if (status === "pending") return "Transaction in Pending state for over 2 minutes. Replacing with NOOP.";
  const onChain = Number(nonce) + 1;
  return `Nonce ${Number(nonce)} consumed externally (on-chain nonce: ${onChain}). No matching transaction hash found on-chain.`;
}
