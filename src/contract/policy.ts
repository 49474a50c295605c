import { MAX_U128 } from "./largest-integers.ts";
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

export {
  type AmountField,
  fieldAt,
  fieldCurrency,
  fieldPaths,
  type ListEntry,
  type ListField,
  type PolicyField,
  type PolicyFields,
} from "./policy/field.ts";
export { type MissingPolicy, missingPolicies, networkRule } from "./policy/whole.ts";

/** The fields of each kind of policy (interface 2.1, facts 4.3). */
export const policyFields: Record<NetworkKind, PolicyFields> = {
  evm: evmPolicyFields,
  solana: solanaPolicyFields,
  stellar: stellarPolicyFields,
};

/** Returns the fields of a kind, with the coin of the relayer's network in its amounts; empty for an unknown kind. */
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
