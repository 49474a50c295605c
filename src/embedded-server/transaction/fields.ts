import { wireAmount } from "../../contract/amount.ts";
import type { JsonObject, JsonValue } from "../../contract/json.ts";
import type { Resource } from "../state/collection.ts";

/** Returns a new EVM transaction's fields; nonce, gas, and a speed's prices follow later (facts 3.4). */
export function evmTransactionFields(relayer: Resource, body: JsonObject): JsonObject {
  return {
    from: relayer.address ?? null,
    to: body.to ?? null,
    value: digitsText(body.value),
    data: body.data ?? null,
    nonce: null,
    gas_limit: body.gas_limit ?? null,
    gas_price: digitsText(body.gas_price),
    max_fee_per_gas: digitsText(body.max_fee_per_gas),
    max_priority_fee_per_gas: digitsText(body.max_priority_fee_per_gas),
    speed: body.speed ?? null,
    signature: null,
    is_canceled: false,
  };
}

/** Returns an amount in any spelling as digits (facts 5.3). */
function digitsText(amount: JsonValue | undefined): string | null {
  const read = wireAmount(amount);
  return read === undefined ? null : String(read);
}

/** Returns a new Stellar transaction's fields: fee and sequence are 0 until known, integers before v1.6 (facts 9). */
export function stellarTransactionFields(relayer: Resource, body: JsonObject): JsonObject {
  return { source_account: body.source_account ?? relayer.address ?? null, fee: 0, sequence_number: 0 };
}

/** Returns the fields of a no-op: nothing to its sender (facts 5.1, 5.5). */
export function noopTransactionFields({ from }: JsonObject): JsonObject {
  return { to: from ?? null, value: "0", data: "0x", gas_limit: 21_000, speed: "fast" };
}
