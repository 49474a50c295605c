import type { BaseUnit } from "../../contract/amount.ts";
import { isNetworkKind } from "../../contract/network-kind.ts";
import { fieldAt, policyFields } from "../../contract/policy.ts";
import type { Relayer } from "../../contract/relayer.ts";

/** The unit of a policy that is an amount, by its path in the relayer: `policies.gas_price_cap`. */
export function unitOf(path: string, { network_type }: Relayer): BaseUnit | undefined {
  if (!path.startsWith("policies.") || !isNetworkKind(network_type)) return undefined;
  const field = fieldAt(policyFields[network_type], path.slice("policies.".length));
  return field?.type === "amount" ? field.unit : undefined;
}
