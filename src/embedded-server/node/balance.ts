import { wireAmount } from "../../contract/amount.ts";
import { isJsonObject } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import type { Resource } from "../state/collection.ts";
import { kindOf } from "../transaction/lookup.ts";

/** The base of the balance if no minimum is set. */
const USUAL: Record<NetworkKind, bigint> = { evm: 10n ** 18n, solana: 10n ** 9n, stellar: 10n ** 8n };

/** Returns three times the relayer's minimum; half of it if the relayer was disabled for its balance. */
export function balanceOf(relayer: Resource): bigint {
  const { policies, disabled_reason: reason } = relayer;
  const least = (isJsonObject(policies) && wireAmount(policies.min_balance)) || USUAL[kindOf(relayer)];
  const reasons = isJsonObject(reason) ? [reason, ...(Array.isArray(reason.details) ? reason.details : [])] : [];
  const isLow = reasons.some((each) => isJsonObject(each) && each.type === "BalanceCheckFailed");
  return isLow ? least / 2n : least * 3n;
}
