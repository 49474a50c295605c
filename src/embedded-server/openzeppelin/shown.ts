import { MAX_U32, wireAmount } from "../../contract/amount.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { type PolicyField, policyFields } from "../../contract/policy.ts";
import { fieldsOrderedBy } from "../../contract/resources/field.ts";
import { relayerFields } from "../../contract/resources/relayer.ts";
import type { Handler } from "../handler.ts";
import { malformedBody } from "../refusal.ts";
import type { Resource } from "../state/collection.ts";
import { servedKind } from "../transaction/lookup.ts";
import { POLICIES } from "./bodies.ts";
import { serdeDigitsFault } from "./serde.ts";

export function shownByService(show: (resource: JsonObject) => JsonObject, handler: Handler): Handler {
  return async (call) => {
    const success = await handler(call);
    return "text" in success ? success : { ...success, data: shownData(success.data, show) };
  };
}

function shownData(data: JsonValue, show: (resource: JsonObject) => JsonObject): JsonValue {
  return Array.isArray(data) ? data.map((item) => show(item as JsonObject)) : show(data as JsonObject);
}

/** Returns the fields in this order, then any others, without unset ones. */
function orderFields(resource: JsonObject, names: readonly string[]): JsonObject {
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
export function shownTransaction(transaction: JsonObject): JsonObject {
  if (transaction.from !== undefined) {
    const value = wireAmount(transaction.value) ?? 0n;
    return { ...withAll(transaction, EVM), value: `0x${value.toString(16)}` };
  }
  if (transaction.source_account !== undefined)
    return { ...withAll(transaction, STELLAR), sequence_number: String(transaction.sequence_number) };
  const { relayer_id: _, hash = null, ...rest } = transaction;
  return orderFields({ ...rest, signature: hash }, SOLANA);
}

function withAll(transaction: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, transaction[name] ?? null]));
}

/** Validates the page number of a list like the service: 32 bits, and no other maximum (facts 2). */
export function shownPaged(list: Handler): Handler {
  return async (call) => {
    refuseNumber(call.query, "page");
    refuseNumber(call.query, "per_page");
    return await list(call);
  };
}

function refuseNumber(query: URLSearchParams, name: string): void {
  const [given, ...more] = query.getAll(name);
  const why =
    given === undefined
      ? undefined
      : more[0] === undefined
        ? serdeDigitsFault(given, MAX_U32)
        : `duplicate field \`${name}\``;
  if (why !== undefined) throw malformedBody(`Query deserialize error: ${why}`);
}

/** The fields in the order of the real service (facts 4.1). */
const FIELDS = fieldsOrderedBy(relayerFields, "v1_8");

/** The values of unset policies if any policy is set (facts 4.3). */
const DEFAULTS: Readonly<Record<NetworkKind, JsonObject>> = {
  evm: { min_balance: 1, gas_limit_estimation: true, include_revert_data: false },
  solana: { max_tx_data_size: 1232, min_balance: 10_000_000 },
  stellar: { min_balance: 1_000_000 },
};

/** Returns a relayer in the service's form: without unset fields, and with masked RPC URLs. */
export function shownRelayer(relayer: JsonObject): JsonObject {
  const policies = isJsonObject(relayer.policies)
    ? servicePolicies(servedKind(relayer as Resource), relayer.policies)
    : null;
  return orderFields({ ...relayer, policies, custom_rpc_urls: maskUrls(relayer.custom_rpc_urls) }, FIELDS);
}

function servicePolicies(kind: NetworkKind, policies: JsonObject): JsonObject | null {
  const isUnset = Object.values(policies).every((value) => value === null);
  if (isUnset) return null;
  const shown = orderFields({ ...DEFAULTS[kind], ...orderFields(policies, []) }, POLICIES[kind]);
  const { swap_config: swap, allowed_tokens: tokens } = shown;
  const { swap_config: swapField, allowed_tokens: tokensField } = policyFields[kind];
  const tokenField = tokensField?.type === "list" ? tokensField.entry?.fields.swap_config : undefined;
  const shownToken = (token: JsonValue) =>
    isJsonObject(token) ? { ...token, ...shownSwap(token.swap_config, tokenField) } : token;
  return {
    ...shown,
    ...(Array.isArray(tokens) && { allowed_tokens: tokens.map(shownToken) }),
    ...shownSwap(swap, swapField),
  };
}

/** Adds null for unset fields, as only the swap objects show them (facts 4.3). */
function shownSwap(swap: JsonValue | undefined, field: PolicyField | undefined): JsonObject {
  if (!isJsonObject(swap) || field?.type !== "object") return {};
  return { swap_config: Object.fromEntries(Object.keys(field.fields).map((name) => [name, swap[name] ?? null])) };
}

function maskUrls(urls: JsonValue = null): JsonValue {
  if (!Array.isArray(urls)) return urls;
  return urls.map((entry) => (isJsonObject(entry) ? { ...entry, url: maskedUrl(String(entry.url)) } : entry));
}

/** Masks a URL except for its user info (facts 4.4). */
function maskedUrl(url: string): string {
  const [, origin, rest = ""] = /^([^/]*:\/\/[^/?]*)(.*)$/s.exec(url) ?? [];
  if (origin === undefined) return "***";
  if (rest === "" || rest === "/") return url;
  return `${origin}${rest[0]}***`;
}
