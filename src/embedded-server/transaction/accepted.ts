import type { JsonObject, JsonValue } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { transactionShapes } from "../../contract/requests.ts";
import { valid } from "../body.ts";
import { kindOf } from "../relayer-kind.ts";
import type { Resource } from "../state/collection.ts";
import { evmFields, solanaFields, stellarFields } from "./fields.ts";
import { refuseByRules } from "./rules.ts";

/**
 * What a new transaction has from its body, once that is found good.
 * @throws Refusal
 */
export type Accept = (relayer: Resource, body: JsonValue, now: number) => JsonObject;

/** Judges a body by the contract, by the kind of its relayer's network, and by the relayer's policy. */
export const acceptByContract: Accept = (relayer, value, now) => {
  const kind = kindOf(relayer);
  const body = valid(transactionShapes[kind], value);
  refuseByRules(kind, body, relayer, now);
  return fieldsOf[kind](relayer, body);
};

export const fieldsOf: Record<NetworkKind, (relayer: Resource, body: JsonObject) => JsonObject> = {
  evm: evmFields,
  solana: (_, body) => solanaFields(body),
  stellar: stellarFields,
};
