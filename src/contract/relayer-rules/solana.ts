import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import type { Relayer } from "../resources/relayer.ts";
import { feePayerOf } from "../transaction/solana-transaction.ts";
import type { BrokenRule } from "./broken.ts";

/**
 * Returns the broken rules of facts 5.8: who pays and who signs, and that a relayer whose users pay requires a prebuilt
 * transaction.
 */
export function solanaRelayerRules(body: JsonObject, relayer: Relayer): BrokenRule[] {
  const { address } = relayer;
  if (typeof address !== "string") return [];
  return [...strategyRule(body, relayer), ...feePayerRule(body, address), ...signerRules(body, address)];
}

function strategyRule({ instructions }: JsonObject, { policies }: Relayer): BrokenRule[] {
  // An unset strategy acts as `user` (facts 4.3).
  const strategy = (isJsonObject(policies) ? policies.fee_payment_strategy : undefined) ?? "user";
  if (!Array.isArray(instructions) || strategy !== "user") return [];
  return [{ path: "instructions", rule: "a relayer with fee_payment_strategy user requires a built transaction" }];
}

function feePayerRule({ transaction }: JsonObject, address: string): BrokenRule[] {
  const payer = typeof transaction === "string" ? feePayerOf(transaction) : undefined;
  if (payer === undefined || payer === address) return [];
  return [{ path: "transaction", rule: `Transaction fee payer ${payer} does not match relayer address ${address}` }];
}

function signerRules({ instructions }: JsonObject, address: string): BrokenRule[] {
  return objects(instructions).flatMap(({ accounts }, index) =>
    objects(accounts).flatMap(({ pubkey, is_signer: signs }, at) => {
      if (signs !== true || pubkey === address) return [];
      const rule = `Only the relayer address ${address} can be marked as a signer, but '${pubkey}' is marked as a signer. The relayer can only provide its own signature.`;
      return [{ path: `instructions.${index}.accounts.${at}`, rule }];
    }),
  );
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
