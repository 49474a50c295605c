import { wireAmount } from "../../contract/amount.ts";
import type { JsonObject, JsonValue } from "../../contract/json.ts";
import type { Handler } from "../handler.ts";
import { malformed } from "../refusal.ts";

export function shownAs(show: (resource: JsonObject) => JsonObject, handler: Handler): Handler {
  return async (call) => {
    const success = await handler(call);
    return "text" in success ? success : { ...success, data: shownData(success.data, show) };
  };
}

function shownData(data: JsonValue, show: (resource: JsonObject) => JsonObject): JsonValue {
  return Array.isArray(data) ? data.map((item) => show(item as JsonObject)) : show(data as JsonObject);
}

/** Returns the fields in this order, then any others; unset fields are omitted. */
export function ordered(resource: JsonObject, names: readonly string[]): JsonObject {
  const shown: JsonObject = {};
  const add = (name: string) => {
    const value = resource[name] ?? null;
    if (value !== null) shown[name] = value;
  };
  names.forEach(add);
  Object.keys(resource).forEach(add);
  return shown;
}

/** The fields in the order of the real service (facts 5.2). */
const EVM = [
  ...["id", "hash", "status", "status_reason", "created_at", "sent_at", "confirmed_at", "gas_price", "gas_limit"],
  ...["nonce", "value", "from", "to", "relayer_id", "data", "max_fee_per_gas", "max_priority_fee_per_gas"],
  ...["signature", "speed", "is_canceled"],
];
const STELLAR = [
  ...["id", "hash", "status", "status_reason", "created_at", "sent_at", "confirmed_at", "source_account", "fee"],
  ...["sequence_number", "relayer_id"],
];
const SOLANA = ["id", "signature", "status", "status_reason", "created_at", "sent_at", "confirmed_at", "transaction"];

/** Returns a transaction in the service's form (facts 5.2): which fields it has depends on the network. */
export function serviceTransaction(transaction: JsonObject): JsonObject {
  if (transaction.from !== undefined) {
    const value = wireAmount(transaction.value) ?? 0n;
    return { ...withAll(transaction, EVM), value: `0x${value.toString(16)}` };
  }
  if (transaction.source_account !== undefined)
    return { ...withAll(transaction, STELLAR), sequence_number: String(transaction.sequence_number) };
  const { relayer_id: _, hash = null, ...rest } = transaction;
  return ordered({ ...rest, signature: hash }, SOLANA);
}

function withAll(transaction: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, transaction[name] ?? null]));
}

const MOST = 2 ** 32 - 1;

/** Validates the page number of a list like the service: 32 bits, and no other maximum (facts 2). */
export function paged(list: Handler): Handler {
  return async (call) => {
    refuseNumber(call.query, "page");
    refuseNumber(call.query, "per_page");
    return await list(call);
  };
}

function refuseNumber(query: URLSearchParams, name: string): void {
  const [given, ...more] = query.getAll(name);
  const why =
    given === undefined ? undefined : more[0] === undefined ? numberFault(given) : `duplicate field \`${name}\``;
  if (why !== undefined) throw malformed(`Query deserialize error: ${why}`);
}

function numberFault(given: string): string | undefined {
  if (given === "") return "cannot parse integer from empty string";
  if (!/^[0-9]+$/.test(given)) return "invalid digit found in string";
  return Number(given) > MOST ? "number too large to fit in target type" : undefined;
}
