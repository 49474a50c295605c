import type { JsonInteger, JsonObject } from "../../contract/json.ts";
import type { EvmReplacement, SolanaReplacement, StellarReplacement } from "../../contract/replacement.ts";
import type { Resource } from "../state/collection.ts";

/** What a new EVM transaction has of its own; nonce, gas and a speed's prices are not fixed yet (service-facts 3.4). */
export function evmMembers(relayer: Resource, body: EvmReplacement): JsonObject {
  return {
    from: relayer.address ?? null,
    to: body.to ?? null,
    value: String(body.value),
    data: body.data ?? null,
    nonce: null,
    gas_limit: body.gas_limit ?? null,
    gas_price: digits(body.gas_price),
    max_fee_per_gas: digits(body.max_fee_per_gas),
    max_priority_fee_per_gas: digits(body.max_priority_fee_per_gas),
    speed: body.speed ?? null,
    signature: null,
    is_canceled: false,
  };
}

function digits(price: JsonInteger | undefined): string | null {
  return price === undefined ? null : String(price);
}

/** service-facts 5.2: the fee is 0 and the sequence "0" until they are known. */
export function stellarMembers(relayer: Resource, body: StellarReplacement): JsonObject {
  return { source_account: body.source_account ?? relayer.address ?? null, fee: 0, sequence_number: "0" };
}

export function solanaMembers({ transaction }: SolanaReplacement): JsonObject {
  return { transaction };
}
