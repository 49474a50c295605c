import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import type { NetworkKind } from "../network-kind.ts";

/** A missing part of a policy, at its dotted path. */
export interface MissingPolicy {
  path: string;
  rule: string;
}

/** Returns the missing parts of a whole policy, in the service's words: it checks after the merge (facts 4.3). */
export function missingPolicies(kind: NetworkKind, policies: JsonValue | undefined): MissingPolicy[] {
  if (kind === "stellar") return isJsonObject(policies) ? missingStellarPolicies(policies) : [NO_STELLAR_POLICY];
  return kind === "solana" && isJsonObject(policies) ? missingPriorityPolicies(field(policies, "swap_config")) : [];
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

function missingPriorityPolicies(swap: JsonObject): MissingPolicy[] {
  const options = field(swap, "jupiter_swap_options");
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

function field(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isJsonObject(value) ? value : {};
}

const MAINNET_ONLY: Record<string, string> = { "jupiter-swap": "JupiterSwap", "jupiter-ultra": "JupiterUltra" };

/** Returns why a policy does not fit its network; undefined if it does. */
export function networkRule(
  kind: NetworkKind,
  network: JsonValue | undefined,
  policies: JsonObject,
): string | undefined {
  const { strategy } = field(policies, "swap_config");
  const name = kind === "solana" && typeof strategy === "string" ? MAINNET_ONLY[strategy] : undefined;
  return name === undefined || network === "mainnet-beta"
    ? undefined
    : `${name} strategy is only supported on mainnet-beta`;
}
