import type { JsonObject } from "../../contract/json.ts";
import { relayerRules } from "../../contract/relayer-rules.ts";
import { gasLimitProblem } from "../../contract/transaction/intrinsic-gas.ts";
import { Refusal } from "../refusal.ts";
import type { Resource } from "../state/collection.ts";

type Rule = (body: JsonObject, relayer: Resource, now: number) => string | undefined;

/**
 * Validates the body of an EVM transaction by itself and by its relayer's policy, with the order and messages of facts
 * 5.3.
 * @throws Refusal
 */
export function refuseEvm(body: JsonObject, relayer: Resource, now: number): void {
  for (const rule of RULES) {
    const words = rule(body, relayer, now);
    if (words !== undefined) throw new Refusal(400, words);
  }
}

const RULES: readonly Rule[] = [
  policyRule("to"),
  ({ to, data }) =>
    isGiven(to) || isGiven(data)
      ? undefined
      : "Both txs `to` and `data` fields are missing. At least one of them has to be set.",
  policyRule("gas_limit"),
  gasLimitProblem,
  validUntilRule,
  priceRule,
  policyRule("gas_price"),
];

function policyRule(field: string): Rule {
  return (body, relayer) => relayerRules.evm(body, relayer).find(({ path }) => path === field)?.rule;
}

function isGiven(field: JsonObject[string] | undefined): boolean {
  return field !== undefined && field !== null;
}

function validUntilRule({ valid_until: given }: JsonObject, _: Resource, now: number): string | undefined {
  if (!isGiven(given)) return undefined;
  const until = Date.parse(String(given));
  if (Number.isNaN(until)) return "Invalid validUntil datetime format";
  return until < now ? "The validUntil time cannot be in the past" : undefined;
}

function priceRule({ gas_price: price, speed, max_fee_per_gas: fee, max_priority_fee_per_gas: tip }: JsonObject) {
  const modes = [isGiven(price), isGiven(speed), isGiven(fee) || isGiven(tip)].filter(Boolean).length;
  if (modes === 0) return "Transaction must specify either gasPrice, speed, or EIP1559 parameters";
  if (modes > 1) return "Cannot mix different transaction types. Use either gasPrice, speed, or EIP1559 parameters";
  if (isGiven(fee) !== isGiven(tip)) {
    return "EIP1559 transactions require both maxFeePerGas and maxPriorityFeePerGas";
  }
  const isCrossed = isGiven(fee) && BigInt(String(fee)) < BigInt(String(tip));
  return isCrossed ? "maxFeePerGas must be greater than or equal to maxPriorityFeePerGas" : undefined;
}
