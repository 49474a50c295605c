import { wireAmount } from "./amount.ts";
import { type JsonObject, type JsonValue, objectIn } from "./json.ts";
import { policyDefaults } from "./policy.ts";

type HasPolicies = Readonly<{ [member: string]: JsonValue | undefined }>;

export function policiesOf({ policies }: HasPolicies): JsonObject {
  return objectIn(policies);
}

/** Returns the relayer's gas price cap in wei; undefined without one. */
export function capOf(relayer: HasPolicies): bigint | undefined {
  return wireAmount(policiesOf(relayer).gas_price_cap);
}

/** Returns the balance below which the service disables a relayer, in the smallest unit. */
export function leastBalance(relayer: HasPolicies): bigint {
  const set = wireAmount(policiesOf(relayer).min_balance);
  return set ?? BigInt(policyDefaults(relayer.network_type).min_balance ?? 0n);
}
