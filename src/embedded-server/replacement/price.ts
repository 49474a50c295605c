import { wireAmount } from "../../contract/amount.ts";
import type { JsonObject, JsonValue } from "../../contract/json.ts";
import type { EvmReplacement } from "../../contract/transaction/replacement.ts";

/**
 * Returns the prices of a replacement as strings of digits (interface 2.4). Requested prices are used unchanged; with a
 * speed, or with neither, the old ones are raised.
 */
export function replacementPrices(old: JsonObject, body: EvmReplacement): JsonObject {
  if (body.gas_price !== undefined) {
    return { gas_price: String(body.gas_price), max_fee_per_gas: null, max_priority_fee_per_gas: null, speed: null };
  }
  if (body.max_fee_per_gas !== undefined || body.max_priority_fee_per_gas !== undefined) return feeAndTip(old, body);
  return {
    gas_price: raisedText(old.gas_price),
    max_fee_per_gas: raisedText(old.max_fee_per_gas),
    max_priority_fee_per_gas: raisedText(old.max_priority_fee_per_gas),
    speed: body.speed ?? old.speed ?? null,
  };
}

/** Returns fee and tip; the one not requested is the old one, raised. The tip never exceeds the fee. */
function feeAndTip(old: JsonObject, body: EvmReplacement): JsonObject {
  const oldFee = raisedPrice(old.max_fee_per_gas) ?? 0n;
  const oldTip = raisedPrice(old.max_priority_fee_per_gas) ?? 0n;
  const requestedTip = BigInt(body.max_priority_fee_per_gas ?? 0);
  const fee = BigInt(body.max_fee_per_gas ?? (oldFee > requestedTip ? oldFee : requestedTip));
  const tip = BigInt(body.max_priority_fee_per_gas ?? (oldTip < fee ? oldTip : fee));
  return { gas_price: null, max_fee_per_gas: String(fee), max_priority_fee_per_gas: String(tip), speed: null };
}

function raisedText(old: JsonValue | undefined): string | null {
  const price = raisedPrice(old);
  return price === undefined ? null : String(price);
}

/**
 * Returns an old price raised by a tenth, rounded up and by at least 1, as networks require for a replacement;
 * undefined if there was no price yet.
 */
export function raisedPrice(old: JsonValue | undefined): bigint | undefined {
  const price = wireAmount(old);
  if (price === undefined) return undefined;
  return price === 0n ? 1n : (price * 11n + 9n) / 10n;
}
