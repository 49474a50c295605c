import { isJsonObject, type JsonValue } from "../../contract/json.ts";
import type { EvmReplacement } from "../../contract/replacement.ts";
import { Refusal } from "../refusal.ts";
import type { Resource } from "../state/collection.ts";

type Rule = (body: EvmReplacement, relayer: Resource, now: number) => string | undefined;

/**
 * Judges the body of an EVM transaction by its relayer's policy and by itself, in the order and words of service-facts 5.3.
 * @throws Refusal
 */
export function refuseByRules(body: EvmReplacement, relayer: Resource, now: number): void {
  for (const rule of RULES) {
    const words = rule(body, relayer, now);
    if (words !== undefined) throw new Refusal(400, words);
  }
}

const RULES: readonly Rule[] = [
  receiverRule,
  (body) =>
    body.to === undefined && body.data === undefined
      ? "Both txs `to` and `data` fields are missing. At least one of them has to be set."
      : undefined,
  gasRule,
  validUntilRule,
  priceRule,
  capRule,
];

const ZERO_ADDRESS = `0x${"0".repeat(40)}`;

function receiverRule({ to }: EvmReplacement, relayer: Resource): string | undefined {
  const listed = policyOf(relayer, "whitelist_receivers");
  if (!Array.isArray(listed)) return undefined;
  const allowed = [...listed, ZERO_ADDRESS, relayer.address].map((address) => String(address).toLowerCase());
  return to !== undefined && allowed.includes(to.toLowerCase())
    ? undefined
    : "Transaction target address is not whitelisted";
}

function gasRule(body: EvmReplacement, relayer: Resource): string | undefined {
  const given = body.gas_limit ?? undefined;
  if (given === undefined) {
    const isEstimated = policyOf(relayer, "gas_limit_estimation") !== false;
    return isEstimated ? undefined : "gas_limit is required when gas_limit_estimation policy is disabled";
  }
  const least = intrinsicGas(body);
  return given < least ? `gas_limit is too low, intrinsic gas is ${least} and gas_limit is ${given}` : undefined;
}

/** What the chain takes for the transaction itself: 4 for a zero byte of data, 16 for any other. */
function intrinsicGas({ to, data = "0x" }: EvmReplacement): number {
  const bytes = data.slice(2).match(/../g) ?? [];
  const forData = bytes.reduce((sum, byte) => sum + (byte === "00" ? 4 : 16), 0);
  return (to === undefined ? 53_000 : 21_000) + forData;
}

function validUntilRule({ valid_until }: EvmReplacement, _: Resource, now: number): string | undefined {
  if (valid_until === undefined) return undefined;
  const until = Date.parse(valid_until);
  if (Number.isNaN(until)) return "Invalid validUntil datetime format";
  return until < now ? "The validUntil time cannot be in the past" : undefined;
}

function priceRule(body: EvmReplacement): string | undefined {
  const { gas_price, speed, max_fee_per_gas: fee, max_priority_fee_per_gas: tip } = body;
  const given = [gas_price, speed, fee ?? tip].filter((price) => price !== undefined).length;
  if (given === 0) return "Transaction must specify either gasPrice, speed, or EIP1559 parameters";
  if (given > 1) return "Cannot mix different transaction types. Use either gasPrice, speed, or EIP1559 parameters";
  if (fee === undefined && tip === undefined) return undefined;
  if (fee === undefined || tip === undefined) {
    return "EIP1559 transactions require both maxFeePerGas and maxPriorityFeePerGas";
  }
  return fee < tip ? "maxFeePerGas must be greater than or equal to maxPriorityFeePerGas" : undefined;
}

function capRule({ gas_price }: EvmReplacement, relayer: Resource): string | undefined {
  const cap = policyOf(relayer, "gas_price_cap");
  const isCapped = typeof cap === "number" || typeof cap === "bigint";
  return isCapped && gas_price !== undefined && gas_price > cap ? "Gas price is too high" : undefined;
}

function policyOf({ policies }: Resource, member: string): JsonValue | undefined {
  return isJsonObject(policies) ? policies[member] : undefined;
}
