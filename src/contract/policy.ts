import * as z from "zod/mini";
import { isJsonObject, type JsonObject } from "./json.ts";
import { isNetworkKind, type NetworkKind } from "./network-kind.ts";
import { evmPolicyFields } from "./policy/evm.ts";
import { fieldsSchema, type PolicyFields } from "./policy/field.ts";
import { solanaPolicyFields } from "./policy/solana.ts";
import { stellarPolicyFields } from "./policy/stellar.ts";

export {
  fieldAt,
  fieldPaths,
  fieldSchema,
  type ListEntry,
  type ListField,
  type PolicyField,
  type PolicyFields,
} from "./policy/field.ts";
export { networkRule, type PolicyGap, policyGaps } from "./policy/whole.ts";

/** A merge patch of a policy: absent members stay, null clears one (service-facts 4.5). */
export type PolicyPatch = JsonObject;

/** The members of each kind of policy (interface.md, Relayer; service-facts 4.3). */
export const policyFields: Record<NetworkKind, PolicyFields> = {
  evm: evmPolicyFields,
  solana: solanaPolicyFields,
  stellar: stellarPolicyFields,
};

/**
 * The request schema of a policy. The rules across members that a patch alone can break are here; the others depend on
 * what the relayer already has, and the service judges them after the merge.
 */
export const policySchemas: Record<NetworkKind, z.ZodMiniType<JsonObject>> = {
  evm: fieldsSchema(evmPolicyFields) as z.ZodMiniType<JsonObject>,
  solana: (fieldsSchema(solanaPolicyFields) as z.ZodMiniType<JsonObject>).check(
    z.refine((policy) => !(policy.allowed_accounts && policy.disallowed_accounts), {
      path: ["disallowed_accounts"],
      error: "allowed_accounts and disallowed_accounts cannot be both present",
    }),
    swapNeedsUser,
    optionsNeedJupiterSwap,
  ),
  stellar: (fieldsSchema(stellarPolicyFields) as z.ZodMiniType<JsonObject>).check(
    z.refine((policy) => policy.fee_payment_strategy !== null, {
      path: ["fee_payment_strategy"],
      error: "a Stellar relayer needs a strategy; it cannot be cleared",
    }),
    swapNeedsUser,
  ),
};

function swapNeedsUser({ value, issues }: z.core.ParsePayload<JsonObject>): void {
  const { fee_payment_strategy, swap_config } = value;
  if (fee_payment_strategy !== "relayer" || !isJsonObject(swap_config)) return;
  const message = "Swap config only supported for user fee payment strategy";
  issues.push({ code: "custom", path: ["swap_config"], message, input: value });
}

function optionsNeedJupiterSwap({ value, issues }: z.core.ParsePayload<JsonObject>): void {
  const { strategy, jupiter_swap_options } = isJsonObject(value.swap_config) ? value.swap_config : {};
  if (typeof strategy !== "string" || strategy === "jupiter-swap" || !isJsonObject(jupiter_swap_options)) return;
  const message = "JupiterSwap options are only valid for JupiterSwap strategy";
  issues.push({ code: "custom", path: ["swap_config", "jupiter_swap_options"], message, input: value });
}

/** The values that members of a policy have when they are unset, as the service answers them (service-facts 4.3). */
export function policyDefaults(kind: unknown): Record<string, bigint | boolean> {
  if (!isNetworkKind(kind)) return {};
  const defaults = Object.entries(policyFields[kind]).flatMap(([key, field]) =>
    "default" in field && field.default !== undefined ? [[key, field.default] as const] : [],
  );
  return Object.fromEntries(defaults);
}
