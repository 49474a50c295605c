import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { type PolicyField, policyFields } from "../../contract/policy.ts";
import { orderedBy } from "../../contract/resources/field.ts";
import { relayerFields } from "../../contract/resources/relayer.ts";
import type { Resource } from "../state/collection.ts";
import { kindOf } from "../transaction/lookup.ts";
import { POLICIES } from "./policies.ts";
import { ordered } from "./shown.ts";

/** The fields in the order of the real service (facts 4.1). */
const FIELDS = orderedBy(relayerFields, "v1_8");

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
