import { wireAmount } from "../../../contract/amount.ts";
import type { JsonValue } from "../../../contract/json.ts";
import { fieldAt, type PolicyField, policyFieldsOf } from "../../../contract/policy.ts";
import type { RelayerFields } from "../../../contract/resources/relayer.ts";

/** A relayer as far as its policies are to be understood. */
export type Kinded = Pick<RelayerFields, "network_type">;

/**
 * A policy by its path in the relayer, as `policies.gas_price_cap`; nothing for other members and for an unknown kind.
 * @param symbol of the coin of the relayer's network, where that is known
 */
export function policyAt(path: string, { network_type }: Kinded, symbol?: string): PolicyField | undefined {
  if (!path.startsWith("policies.")) return undefined;
  return fieldAt(policyFieldsOf(network_type, symbol), path.slice("policies.".length));
}

/** Whether a value is the one that the field has when it is unset. */
export function isDefault(value: JsonValue, field: PolicyField | undefined): boolean {
  const byDefault = defaultOf(field);
  return byDefault !== undefined && String(wireAmount(value) ?? value) === String(byDefault);
}

/** The default of a field that is unset, as the service returns it (facts 4.3). */
export function defaultOf(field: PolicyField | undefined): bigint | boolean | undefined {
  return field && "default" in field ? field.default : undefined;
}
