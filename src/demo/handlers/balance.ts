import { wireAmount } from "../../contract/amount.ts";
import { isJsonObject } from "../../contract/json.ts";
import { BASE_UNIT, type NetworkKind } from "../../contract/network-kind.ts";
import type { Handler } from "../handler.ts";
import { relayerMissing } from "../refusal.ts";
import { kindOf } from "../relayer-kind.ts";
import type { Resource } from "../state/collection.ts";

/** service-facts 3.1: an integer of any size, which for EVM is regularly above 2^53. */
export const getBalance: Handler = async ({ ids: [id = ""], store }) =>
  store.read(({ relayers }) => {
    const relayer = relayers.get(id);
    if (!relayer) throw relayerMissing(id);
    return { data: { balance: balanceOf(relayer), unit: BASE_UNIT[kindOf(relayer)] } };
  });

/** What is enough to begin with, where no minimum is set. */
const USUAL: Record<NetworkKind, bigint> = { evm: 10n ** 18n, solana: 10n ** 9n, stellar: 10n ** 8n };

/** Three times the minimum; a relayer that was disabled for its balance has half of it. */
function balanceOf(relayer: Resource): bigint {
  const { policies, disabled_reason: reason } = relayer;
  const least = (isJsonObject(policies) && wireAmount(policies.min_balance)) || USUAL[kindOf(relayer)];
  const reasons = isJsonObject(reason) ? [reason, ...(Array.isArray(reason.details) ? reason.details : [])] : [];
  const isLow = reasons.some((each) => isJsonObject(each) && each.type === "BalanceCheckFailed");
  return isLow ? least / 2n : least * 3n;
}
