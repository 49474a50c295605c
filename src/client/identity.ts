import { wireAmount } from "../contract/amount.ts";
import { isJsonObject, type JsonValue } from "../contract/json.ts";
import type { Ask } from "./request.ts";

/** What is wrong with the identity of an answer: it speaks of another thing than the one that was asked for. */
export function wrongIdentity(ask: Ask, answered: JsonValue): string | undefined {
  if (ask.operation.bare || !isJsonObject(answered)) return undefined;
  const { answers = "id" } = ask.operation;
  const named = ask.operation.answers ? lastParameter(ask) : idInBody(ask);
  const found = answers === "nonce" ? wireAmount(answered.nonce)?.toString() : answered.id;
  if (named !== undefined && found !== named) return `the answer names another ${answers} than was asked for`;
  const relayer = ask.parameters?.relayer_id;
  const owner = answered.relayer_id ?? relayer;
  return owner === relayer ? undefined : "the answer names another relayer than was asked for";
}

/** The relayer of a transaction, if it is not the requested one: the service does not check that (facts 3.4). */
export function otherRelayer({ operation, parameters = {} }: Ask, answered: JsonValue): string | undefined {
  if (operation.id !== "tx.get" || !isJsonObject(answered) || answered.id !== parameters.transaction_id)
    return undefined;
  const owner = answered.relayer_id;
  return typeof owner === "string" && owner !== parameters.relayer_id ? owner : undefined;
}

/** The id that a create gives to the thing itself. */
export function idInBody(ask: Ask): string | undefined {
  return isJsonObject(ask.body) && typeof ask.body.id === "string" ? ask.body.id : undefined;
}

/** The id that the path ends with. */
function lastParameter(ask: Ask): string | undefined {
  const name = /.*\{(\w+)\}/.exec(ask.operation.path)?.[1];
  return name === undefined ? undefined : ask.parameters?.[name];
}
