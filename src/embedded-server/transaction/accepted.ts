import type { JsonObject, JsonValue } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { relayerRules } from "../../contract/relayer-rules.ts";
import { transactionSchemas, transactionShapes } from "../../contract/requests.ts";
import { pastProblem } from "../../contract/transaction/past-problem.ts";
import { validForHandler } from "../handler.ts";
import { Refusal } from "../refusal.ts";
import type { Resource } from "../state/collection.ts";
import { evmTransactionFields, stellarTransactionFields } from "./fields.ts";
import { lookUpKind } from "./lookup.ts";

/** Returns the fields of a new transaction from its body, after validating it. @throws Refusal */
export type Accept = (relayer: Resource, body: JsonValue, now: number) => JsonObject;

export const acceptByContract: Accept = (relayer, value, now) => {
  const kind = lookUpKind(relayer);
  const body = validForHandler(transactionShapes[kind], value);
  refuseByRules(kind, body, relayer, now);
  return fieldsOf[kind](relayer, body);
};

/** Validates a transaction by itself and its relayer's policy, in the words of facts 5. @throws Refusal */
function refuseByRules(kind: NetworkKind, body: JsonObject, relayer: Resource, now: number): void {
  // Stellar's is validated by the network (facts 5.7).
  const past = kind === "stellar" ? undefined : pastProblem("evm", body.valid_until, now);
  const [first] = [
    ...relayerRules[kind](body, relayer).map(({ rule }) => rule),
    ...(transactionSchemas[kind].safeParse(body).error?.issues.map(({ message }) => message) ?? []),
    ...(past === undefined ? [] : [past]),
  ];
  if (first !== undefined) throw new Refusal(400, first);
}

export const fieldsOf: Record<NetworkKind, (relayer: Resource, body: JsonObject) => JsonObject> = {
  evm: evmTransactionFields,
  solana: (_, { transaction = "", instructions }) => ({ transaction, ...(instructions && { instructions }) }),
  stellar: stellarTransactionFields,
};
