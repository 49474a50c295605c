import { wireAmount } from "../../../contract/amount.ts";
import type { JsonValue } from "../../../contract/json.ts";
import { fieldAt, type PolicyField, policyFieldsOf } from "../../../contract/policy.ts";
import type { RelayerFields } from "../../../contract/resources/relayer.ts";

/** The part of a relayer that determines its policies. */
export type Kinded = Pick<RelayerFields, "network_type">;

/**
 * Returns a policy by its path in the relayer, e.g. `policies.gas_price_cap`; undefined for other fields and for an
 * unknown kind.
 * @param symbol the symbol of the network's coin, if known
 */
export function policyAt(path: string, { network_type }: Kinded, symbol?: string): PolicyField | undefined {
  if (!path.startsWith("policies.")) return undefined;
  return fieldAt(policyFieldsOf(network_type, symbol), path.slice("policies.".length));
}

/** Returns whether a value equals the field's default. */
export function isDefault(value: JsonValue, field: PolicyField | undefined): boolean {
  const byDefault = defaultOf(field);
  return byDefault !== undefined && String(wireAmount(value) ?? value) === String(byDefault);
}

/** Returns the default of an unset field, as the service returns it (facts 4.3). */
export function defaultOf(field: PolicyField | undefined): bigint | boolean | undefined {
  return field && "default" in field ? field.default : undefined;
}
