import { formatAmount, wireAmount } from "../../../contract/amount.ts";
import { GAS_PRICE } from "../../../contract/currency.ts";
import { isJsonObject } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";

/**
 * Warns if the relayer's cap leaves no room for the two raises that a replacement of a signed transaction gets:
 * services up to v1.8 accept it and never broadcast it (facts 15.1).
 */
export function cappedWarning(before: Transaction, { policies }: Relayer): string[] {
  const cap = isJsonObject(policies) ? wireAmount(policies.gas_price_cap) : undefined;
  const fee = wireAmount(before.max_fee_per_gas ?? before.gas_price ?? null);
  if (cap === undefined || fee === undefined || typeof before.hash !== "string") return [];
  const needed = raised(raised(fee));
  if (cap >= needed) return [];
  return [
    `warning: gas_price_cap is ${formatAmount(cap, GAS_PRICE)}: services up to v1.8 accept this replacement and never broadcast it below ${formatAmount(needed, GAS_PRICE)}; raise the cap first`,
  ];
}

/** Returns a fee raised by a tenth, and by at least one. */
function raised(fee: bigint): bigint {
  const tenth = (fee * 11n) / 10n;
  return tenth > fee ? tenth : fee + 1n;
}
