import type { JsonObject } from "../../contract/json.ts";
import type { EvmReplacement } from "../../contract/transaction/replacement.ts";
import { evmSignature, transactionHash } from "./hash.ts";
import { replacementPrices } from "./price.ts";

/**
 * Applies a replacement to an EVM transaction: omitted fields become unset, except the price, which follows from the
 * old one.
 */
export function evmChanges(old: JsonObject, body: EvmReplacement, number: number): JsonObject {
  return {
    hash: transactionHash("evm", number),
    to: body.to ?? null,
    value: String(body.value),
    data: body.data ?? null,
    gas_limit: body.gas_limit ?? null,
    ...replacementPrices(old, body),
    signature: evmSignature(number),
  };
}
