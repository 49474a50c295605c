import type { JsonObject, JsonValue } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { replacementSchemas } from "../../contract/requests.ts";
import type { EvmReplacement, SolanaReplacement, StellarReplacement } from "../../contract/transaction/replacement.ts";
import { valid } from "../body.ts";
import { evmChanges } from "./evm.ts";
import { solanaChanges } from "./solana.ts";
import { stellarChanges } from "./stellar.ts";

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
