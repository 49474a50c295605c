import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { orderedBy } from "../../contract/resources/field.ts";
import { relayerFields } from "../../contract/resources/relayer.ts";
import type { Resource } from "../state/collection.ts";
import { kindOf } from "../transaction/lookup.ts";
import { ordered } from "./shown.ts";

/** The fields in the order of the real service (facts 4.1). */
const FIELDS = orderedBy(relayerFields, "v1_8");

const POLICIES: Readonly<Record<NetworkKind, readonly string[]>> = {
  evm: [
    ...["min_balance", "gas_limit_estimation", "gas_price_cap", "whitelist_receivers", "eip1559_pricing"],
    ...["private_transactions", "include_revert_data"],
  ],
  solana: [
    ...["allowed_programs", "max_signatures", "max_tx_data_size", "min_balance", "allowed_tokens"],
    ...["fee_payment_strategy", "fee_margin_percentage", "allowed_accounts", "disallowed_accounts"],
    ...["max_allowed_fee_lamports", "swap_config"],
  ],
  stellar: [
    ...["max_fee", "timeout_seconds", "min_balance", "concurrent_transactions", "allowed_tokens"],
    ...["fee_payment_strategy", "slippage_percentage", "fee_margin_percentage", "swap_config"],
  ],
};

const TOKEN_SWAP = ["slippage_percentage", "min_amount", "max_amount", "retain_min_amount"];
const SWAP: Readonly<Record<NetworkKind, readonly string[]>> = {
  evm: [],
  solana: ["strategy", "cron_schedule", "min_balance_threshold", "jupiter_swap_options"],
  stellar: ["strategies", "cron_schedule", "min_balance_threshold"],
};

/** The values of unset policies if any policy is set (facts 4.3). */
const DEFAULTS: Readonly<Record<NetworkKind, JsonObject>> = {
  evm: { min_balance: 1, gas_limit_estimation: true, include_revert_data: false },
  solana: { max_tx_data_size: 1232, min_balance: 10_000_000 },
  stellar: { min_balance: 1_000_000 },
};

/** Returns a relayer in the service's form: without unset fields, and with masked RPC URLs. */
export function serviceRelayer(relayer: JsonObject): JsonObject {
  const policies = isJsonObject(relayer.policies)
    ? servicePolicies(kindOf(relayer as Resource), relayer.policies)
    : null;
  return ordered({ ...relayer, policies, custom_rpc_urls: masked(relayer.custom_rpc_urls) }, FIELDS);
}

function servicePolicies(kind: NetworkKind, policies: JsonObject): JsonObject | null {
  const isUnset = Object.values(policies).every((value) => value === null);
  if (isUnset) return null;
  const shown = ordered({ ...DEFAULTS[kind], ...ordered(policies, []) }, POLICIES[kind]);
  const { swap_config: swap, allowed_tokens: tokens } = shown;
  return {
    ...shown,
    ...(Array.isArray(tokens) && { allowed_tokens: tokens.map(shownToken) }),
    ...(isJsonObject(swap) && { swap_config: withNulls(swap, SWAP[kind]) }),
  };
}

function shownToken(token: JsonValue): JsonValue {
  if (!isJsonObject(token) || !isJsonObject(token.swap_config)) return token;
  return { ...token, swap_config: withNulls(token.swap_config, TOKEN_SWAP) };
}

/** Adds null for unset fields, as only the swap objects show them (facts 4.3). */
function withNulls(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, object[name] ?? null]));
}

function masked(urls: JsonValue = null): JsonValue {
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
