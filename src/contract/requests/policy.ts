import { addressProblem } from "../address.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import type { NetworkKind } from "../network-kind.ts";
import { type PolicyField, policyFields } from "../policy.ts";
import { fieldsSchema } from "./policy-field.ts";
import * as z from "./zod.ts";

/**
 * The request schema of a policy. It contains the rules across fields that a patch alone can break; the others depend
 * on the relayer's current policies, and the service validates them after the merge.
 */
export const policySchemas: Record<NetworkKind, z.ZodMiniType<JsonObject>> = {
  evm: fieldsSchema(policyFields.evm) as z.ZodMiniType<JsonObject>,
  solana: (fieldsSchema(policyFields.solana) as z.ZodMiniType<JsonObject>).check(
    z.refine((policy) => !(policy.allowed_accounts && policy.disallowed_accounts), {
      path: ["disallowed_accounts"],
      error: "allowed_accounts and disallowed_accounts cannot be both present",
    }),
    swapNeedsUser,
    optionsNeedJupiterSwap,
  ),
  stellar: (fieldsSchema(policyFields.stellar) as z.ZodMiniType<JsonObject>).check(
    z.refine((policy) => policy.fee_payment_strategy !== null, {
      path: ["fee_payment_strategy"],
      error: "Fee payment strategy is required",
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

/** The same for what is typed: the service accepts any text as an EVM address, and then blocks every payment (facts 13.3). */
export const typedPolicySchemas: typeof policySchemas = {
  ...policySchemas,
  evm: policySchemas.evm.check(refuseOtherTexts),
};

function refuseOtherTexts({ value, issues }: z.core.ParsePayload<JsonObject>): void {
  for (const [key, field] of Object.entries<PolicyField>(policyFields.evm)) {
    const list = field.type === "list" && field.addresses ? value[key] : undefined;
    for (const [index, item] of Array.isArray(list) ? list.entries() : []) {
      const message = typeof item === "string" ? addressProblem(item) : undefined;
      if (message !== undefined) issues.push({ code: "custom", path: [key, index], message, input: item });
    }
  }
}
