import { addressProblem } from "../address.ts";
import { solanaAddressProblem } from "../encoding/base58.ts";
import { strkeyProblem } from "../encoding/strkey.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import type { NetworkKind } from "../network-kind.ts";
import { assetProblem, NATIVE } from "../policy/stellar.ts";
import { fieldAt, type PolicyFields, policyFields } from "../policy.ts";
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

/** The same for what is typed: the service accepts what is no address, and then blocks every payment (facts 13.3). */
export const typedPolicySchemas: typeof policySchemas = {
  evm: policySchemas.evm.check(refuseOtherTexts("evm")),
  solana: policySchemas.solana.check(refuseOtherTexts("solana")),
  stellar: policySchemas.stellar.check(refuseOtherTexts("stellar")),
};

function refuseOtherTexts(kind: NetworkKind) {
  return ({ value, issues }: z.core.ParsePayload<JsonObject>): void => {
    replaceAddresses(value, kind, (text, path) => {
      const message = listedAddressProblem(kind, text);
      if (message !== undefined) issues.push({ code: "custom", path, message, input: text });
      return text;
    });
  };
}

/** Returns why a text is not an address as a list of policies of this kind has it, with its checksum verified. */
export function listedAddressProblem(kind: NetworkKind, text: string): string | undefined {
  if (text.includes("@")) return "a label is known on this machine only; write its address";
  if (kind !== "stellar") return kind === "evm" ? addressProblem(text) : solanaAddressProblem(text);
  const problem = assetProblem(text);
  if (problem !== undefined || NATIVE.includes(text)) return problem;
  const [, issuer] = text.split(":");
  return issuer === undefined ? strkeyProblem(text, ["C"]) : strkeyProblem(issuer, ["G"]);
}

/** Returns policies with another text in place of each address of their lists. */
export function replaceAddresses(
  policies: JsonObject,
  kind: NetworkKind,
  addressOf: (typed: string, path: (string | number)[]) => string,
): JsonObject {
  const fields: PolicyFields = policyFields[kind];
  const replaced = Object.entries(policies).map(([name, list]) => {
    const field = fieldAt(fields, name);
    if (field?.type !== "list" || !field.addresses || !Array.isArray(list)) return [name, list];
    const key = field.entry?.key;
    const items = list.map((item, index) => {
      if (typeof item === "string" && key === undefined) return addressOf(item, [name, index]);
      const typed = isJsonObject(item) && key !== undefined ? item[key] : undefined;
      if (!isJsonObject(item) || key === undefined || typeof typed !== "string") return item;
      return { ...item, [key]: addressOf(typed, [name, index, key]) };
    });
    return [name, items];
  });
  return Object.fromEntries(replaced);
}
