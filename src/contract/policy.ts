import { MAX_U128, wireAmount } from "./amount.ts";
import { isJsonObject, type JsonObject, type JsonValue, objectIn } from "./json.ts";
import { isNetworkKind, type NetworkKind } from "./network-kind.ts";
import type { PolicyFields } from "./policy/field.ts";
import { solanaPolicyFields } from "./policy/solana.ts";
import { stellarPolicyFields } from "./policy/stellar.ts";

/** interface 2.2; units, defaults, and `include_revert_data` (v1.7) from facts 4.3. */
const evmPolicyFields = {
  eip1559_pricing: { type: "flag", default: true },
  gas_limit_estimation: { type: "flag", default: true },
  gas_price_cap: {
    type: "amount",
    unit: "wei",
    perGas: true,
    most: MAX_U128,
    unset: "no cap applies",
  },
  min_balance: { type: "amount", unit: "wei", most: MAX_U128, default: 1n },
  private_transactions: { type: "flag", default: false },
  whitelist_receivers: {
    type: "list",
    rule: "a list of addresses",
    addresses: "evm",
    example: "0x52908400098527886E0F7030069857D2E4169EE7",
    unset: "this relayer may send to any address",
    empty: "this relayer may send only to itself and the zero address",
    guards: true,
  },
  include_revert_data: { type: "flag", default: false },
} as const satisfies PolicyFields;

export * from "./policy/field.ts";

/** The fields of each kind of policy (interface 2.1, facts 4.3). */
export const policyFields: Record<NetworkKind, PolicyFields> = {
  evm: evmPolicyFields,
  solana: solanaPolicyFields,
  stellar: stellarPolicyFields,
};

/** Returns the fields of a kind, with the network's coin in its amounts; empty for an unknown kind. */
export function policyFieldsOf(kind: unknown, symbol: string | undefined): PolicyFields {
  if (!isNetworkKind(kind)) return {};
  const fields: PolicyFields = policyFields[kind];
  if (kind !== "evm" || symbol === undefined) return fields;
  const coined = Object.entries(fields).map(([key, field]) => [
    key,
    field.type === "amount" ? { ...field, symbol } : field,
  ]);
  return Object.fromEntries(coined) as PolicyFields;
}

/** Returns the service's values for unset policy fields (facts 4.3). */
export function policyDefaults(kind: unknown): Record<string, bigint | boolean> {
  if (!isNetworkKind(kind)) return {};
  const defaults = Object.entries(policyFields[kind]).flatMap(([key, field]) =>
    "default" in field && field.default !== undefined ? [[key, field.default] as const] : [],
  );
  return Object.fromEntries(defaults);
}

export interface MissingPolicy {
  path: string;
  rule: string;
}

/** Returns the missing parts of a whole policy, in the service's words: it checks after the merge (facts 4.3). */
export function policyGaps(kind: NetworkKind, policies: JsonValue | undefined): MissingPolicy[] {
  if (kind === "stellar") return isJsonObject(policies) ? missingStellarPolicies(policies) : [NO_STELLAR_POLICY];
  return kind === "solana" && isJsonObject(policies) ? missingSwapPolicies(objectIn(policies.swap_config)) : [];
}

const NO_STELLAR_POLICY: MissingPolicy = {
  path: "fee_payment_strategy",
  rule: "Stellar policy is required. fee_payment_strategy is required",
};

function missingStellarPolicies({ fee_payment_strategy, swap_config }: JsonObject): MissingPolicy[] {
  const lacksStrategy = fee_payment_strategy === undefined || fee_payment_strategy === null;
  const lacksSwap = isJsonObject(swap_config) && !(Array.isArray(swap_config.strategies) && swap_config.strategies[0]);
  return [
    ...(lacksStrategy ? [{ path: "fee_payment_strategy", rule: "Fee payment strategy is required" }] : []),
    ...(lacksSwap ? [{ path: "swap_config.strategies", rule: "Swap config must include at least one strategy" }] : []),
  ];
}

function missingSwapPolicies(swap: JsonObject): MissingPolicy[] {
  if (isJsonObject(swap.jupiter_swap_options) && (swap.strategy ?? null) === null)
    return [{ path: "swap_config.strategy", rule: "JupiterSwap options are only valid for JupiterSwap strategy" }];
  const options = objectIn(swap.jupiter_swap_options);
  const [fee, level] = [options.priority_fee_max_lamports ?? null, options.priority_level ?? null];
  const at = "swap_config.jupiter_swap_options";
  if (fee === null && level !== null) {
    const rule = "Priority Fee Max lamports must be set if priority level is set";
    return [{ path: `${at}.priority_fee_max_lamports`, rule }];
  }
  if (fee !== null && level === null) {
    return [{ path: `${at}.priority_level`, rule: "Priority level must be set if priority fee max lamports is set" }];
  }
  return [];
}

const MAINNET_ONLY: Record<string, string> = { "jupiter-swap": "JupiterSwap", "jupiter-ultra": "JupiterUltra" };

export function policyNetworkRule(
  kind: NetworkKind,
  network: JsonValue | undefined,
  policies: JsonObject,
): string | undefined {
  const { strategy } = objectIn(policies.swap_config);
  const name = kind === "solana" && typeof strategy === "string" ? MAINNET_ONLY[strategy] : undefined;
  return name === undefined || network === "mainnet-beta"
    ? undefined
    : `${name} strategy is only supported on mainnet-beta`;
}

type HasPolicies = Readonly<{ [member: string]: JsonValue | undefined }>;

export function relayerPolicies({ policies }: HasPolicies): JsonObject {
  return objectIn(policies);
}

/** Returns the relayer's gas price cap in wei; undefined without one. */
export function policyCap(relayer: HasPolicies): bigint | undefined {
  return wireAmount(relayerPolicies(relayer).gas_price_cap);
}

/** Returns the balance below which the service disables a relayer, in the smallest unit. */
export function policyLeastBalance(relayer: HasPolicies): bigint {
  const set = wireAmount(relayerPolicies(relayer).min_balance);
  return set ?? BigInt(policyDefaults(relayer.network_type).min_balance ?? 0n);
}
