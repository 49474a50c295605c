import { MAX_U64, wireAmount } from "../contract/amount.ts";
import { isJsonInteger, isJsonObject, type JsonObject, type JsonValue } from "../contract/json.ts";
import { isServiceRecord, isServiceRelayer } from "../contract/service-record.ts";
import { hexMemo } from "../contract/spelling.ts";
import type { Transaction } from "../contract/transaction/transaction.ts";
import type { ApiRequest } from "./request.ts";

/**
 * Returns the body in the spelling of the real service if it differs from the interface's: an amount above 2^64 - 1 as
 * a string of digits (facts 5.3, 4.3), a memo's hash as 64 hex characters (facts 5.7). Returns undefined if there is no
 * difference.
 */
export function respellRequest(request: ApiRequest): JsonValue | undefined {
  const { operation, body } = request;
  if (!isJsonObject(body)) return undefined;
  switch (operation.id) {
    case "relayers.create":
    case "relayers.update":
      return changeBody(body, { policies: respellPolicies(body.policies) });
    case "tx.replace":
    case "tx.send":
      return changeBody(body, { value: asString(body.value), memo: hexMemo(body.memo) });
    default:
      return undefined;
  }
}

/** Returns the request in the spelling of the real service if the record shows that this is one. */
export function respellForRecord(request: ApiRequest, record: JsonObject | undefined): ApiRequest {
  const isKnown =
    record !== undefined &&
    (SPELLED.some((kind) => isServiceRecord(record as Transaction, kind)) || isServiceRelayer(record));
  const body = isKnown ? respellRequest(request) : undefined;
  return body === undefined ? request : { ...request, body };
}

/** A Solana transaction has only one spelling. */
const SPELLED = ["evm", "stellar"] as const;

function changeBody(body: JsonObject, fields: Record<string, JsonValue | undefined>): JsonObject | undefined {
  const found = Object.entries(fields).filter(([, value]) => value !== undefined) as [string, JsonValue][];
  return found.length === 0 ? undefined : { ...body, ...Object.fromEntries(found) };
}

function respellPolicies(value: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  return changeBody(value, { gas_price_cap: asString(value.gas_price_cap), min_balance: asString(value.min_balance) });
}

function asString(value: JsonValue | undefined): string | undefined {
  const amount = isJsonInteger(value) ? wireAmount(value) : undefined;
  return amount !== undefined && amount > MAX_U64 ? String(amount) : undefined;
}
