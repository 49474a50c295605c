import { isNetworkKind, type NetworkKind } from "./network-kind.ts";
import { evmPolicyFields } from "./policy/evm.ts";
import type { PolicyFields } from "./policy/field.ts";
import { solanaPolicyFields } from "./policy/solana.ts";
import { stellarPolicyFields } from "./policy/stellar.ts";

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
