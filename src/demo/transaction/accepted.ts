import type { JsonObject, JsonValue } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import type { EvmReplacement, SolanaReplacement, StellarReplacement } from "../../contract/replacement.ts";
import { replacementSchemas } from "../../contract/requests.ts";
import { valid } from "../body.ts";
import { kindOf } from "../relayer-kind.ts";
import type { Resource } from "../state/collection.ts";
import { evmMembers, solanaMembers, stellarMembers } from "./members.ts";
import { refuseByRules } from "./rules.ts";

/**
 * What a new transaction has from its body, once that is found good.
 * @throws Refusal
 */
export type Accept = (relayer: Resource, body: JsonValue, now: number) => JsonObject;

/** Judges a body by the contract, by the kind of its relayer's network, and by the relayer's policy. */
export const acceptByContract: Accept = (relayer, body, now) => accepts[kindOf(relayer)](relayer, body, now);

const accepts: Record<NetworkKind, Accept> = {
  evm: (relayer, value, now) => {
    const body = valid(replacementSchemas.evm, value) as EvmReplacement;
    refuseByRules(body, relayer, now);
    return evmMembers(relayer, body);
  },
  solana: (_, value) => solanaMembers(valid(replacementSchemas.solana, value) as SolanaReplacement),
  stellar: (relayer, value) => stellarMembers(relayer, valid(replacementSchemas.stellar, value) as StellarReplacement),
};
