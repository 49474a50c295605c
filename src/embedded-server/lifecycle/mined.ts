import { isJsonObject } from "../../contract/json.ts";
import { timeOf } from "../chain/blocks.ts";
import type { MinedTransaction } from "../chain/chain.ts";
import { minedFor, networkOf } from "../chain/chains.ts";
import { outcomeOf } from "../chain/contracts.ts";
import type { Resource } from "../state/collection.ts";
import { blockTimeOf, type ServerState } from "../state/state.ts";
import { timestampText } from "../world.ts";
import type { Lifecycle, Step } from "./lifecycle.ts";
import type { StepResult, StepTaken } from "./step.ts";

/** Milliseconds from `mined` to `confirmed`, so that a user sees it. */
const TO_CONFIRMED = 15_000;
/** Milliseconds between the status checks of the real service (facts 5.1). */
const NEXT_CHECK = 10_000;

/**
 * Returns when the service notices that the version that a record shows was mined; undefined while it was not. It does
 * not look for other versions.
 */
export function noticedAt(state: ServerState, lifecycle: Lifecycle): number | undefined {
  const record = state.transactions.get(lifecycle.id);
  const mined = record && minedFor(state, record);
  const relayer = state.relayers.get(String(record?.relayer_id));
  if (!mined || !relayer || mined.hash !== record?.hash) return undefined;
  const time = timeOf(mined.block, blockTimeOf(networkOf(state, relayer)));
  return Math.max(time + (lifecycle.notices ?? 0), lifecycle.due);
}

/** Takes the step of a transaction that is on the chain. The real service hardly ever shows `mined` (facts 13.6). */
export function minedStep({ state, relayer, transaction, lifecycle, timestamp }: StepTaken): StepResult {
  const mined = minedFor(state, transaction);
  if (!mined) return { changes: {} };
  const { isReverted, returnData } = outcomeOf(mined);
  if (isReverted) return { changes: { status: "failed", status_reason: revertedReason(relayer, returnData) } };
  const network = networkOf(state, relayer);
  const deepest = mined.block + Number(network.required_confirmations ?? 1);
  const confirmed = timeOf(deepest, blockTimeOf(network));
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
  const changes = next === "canceled" ? { status: next } : { status: next, confirmed_at: timestampText(timestamp) };
  return { changes };
}

/** The most hex digits of the reason of a revert that are stored. */
const MOST_DIGITS = 4096;

/** Returns why a reverted transaction failed; the relayer's policy adds the data of the revert (facts 5.1). */
function revertedReason({ policies }: Resource, returnData: string): string {
  const isIncluded = isJsonObject(policies) && policies.include_revert_data === true;
  if (!isIncluded) return "Transaction reverted on-chain (receipt status: failed)";
  const digits = returnData.slice(2);
  const shown = digits.length > MOST_DIGITS ? `${digits.slice(0, MOST_DIGITS)}...(truncated)` : digits;
  return `Transaction reverted on-chain (revert_data: 0x${shown})`;
}

/** Returns how a mined transaction ends: `canceled` only if what was mined is the cancellation (facts 13.2). */
function finalStep({ is_canceled }: Resource, { from, to, value, data }: MinedTransaction): Step {
  const didNothing = to?.toLowerCase() === from && value === 0n && data === "0x";
  return is_canceled === true && didNothing ? "canceled" : "confirmed";
}
