import type { JsonObject, JsonValue } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { replacementSchemas } from "../../contract/requests.ts";
import type { EvmReplacement, SolanaReplacement, StellarReplacement } from "../../contract/transaction/replacement.ts";
import { valid } from "../body.ts";
import { evmSignature, transactionHash } from "./hash.ts";
import { raisedPrice, replacementPrices } from "./price.ts";

/** Returns the changed transaction; `number` counts the hashes given out. */
export type Changes = (old: JsonObject, number: number) => JsonObject;

/**
 * Validates the body of a replacement by the kind of its relayer's network; a body of another kind is refused.
 * @throws Refusal
 */
export const changesFrom: Record<NetworkKind, (body: JsonValue) => Changes> = {
  evm: (value) => {
    const body = valid(replacementSchemas.evm, value) as EvmReplacement;
    return (old, number) => evmChanges(old, body, number);
  },
  solana: (value) => {
    const body = valid(replacementSchemas.solana, value) as SolanaReplacement;
    return (_, number) => solanaChanges(body, number);
  },
  stellar: (value) => {
    const body = valid(replacementSchemas.stellar, value) as StellarReplacement;
    return (old, number) => stellarChanges(old, body, number);
  },
};

/**
 * Applies a replacement to an EVM transaction: omitted fields become unset, except the price, which follows from the
 * old one.
 */
function evmChanges(old: JsonObject, body: EvmReplacement, number: number): JsonObject {
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

function solanaChanges(body: SolanaReplacement, number: number): JsonObject {
  return { hash: transactionHash("solana", number), transaction: body.transaction };
}

/** Stroops (interface 1.5). */
const DEFAULT_MAX_FEE = 1_000_000n;

/**
 * Applies a replacement to a Stellar transaction. Only the account of the body shows in it; the fee is raised by a
 * tenth, up to `max_fee`.
 */
function stellarChanges(old: JsonObject, body: StellarReplacement, number: number): JsonObject {
  const raised = raisedPrice(old.fee) ?? 0n;
  const most = BigInt(body.max_fee ?? DEFAULT_MAX_FEE);
  return {
    hash: transactionHash("stellar", number),
    source_account: body.source_account ?? old.source_account ?? null,
    fee: raised < most ? raised : most,
  };
}
