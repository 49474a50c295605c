import type { JsonInteger } from "../json.ts";
import { MAX_U128 } from "../largest-integers.ts";
import { refusing } from "./schema-parts.ts";

/** The fields that set a price; a body may use one way (facts 5.3). */
export interface Prices {
  gas_price?: JsonInteger | null;
  max_fee_per_gas?: JsonInteger | null;
  max_priority_fee_per_gas?: JsonInteger | null;
  speed?: string | null;
}

const MIXED = "Cannot mix different transaction types. Use either gasPrice, speed, or EIP1559 parameters";

/** facts 5.3, rule 8, reported at the speed if there is one. */
export const mixedPrices = [
  refusing<Prices>("speed", MIXED, (body) => isGiven(body.speed) && pricingModesOf(body) > 1),
  refusing<Prices>("gas_price", MIXED, (body) => !isGiven(body.speed) && pricingModesOf(body) > 1),
];

/** facts 5.3, rule 10. */
export const crossedPrices = refusing<Prices>(
  "max_priority_fee_per_gas",
  "maxFeePerGas must be greater than or equal to maxPriorityFeePerGas",
  ({ max_fee_per_gas: fee, max_priority_fee_per_gas: tip }) => BigInt(fee ?? MAX_U128) < BigInt(tip ?? 0),
);

export function pricingModesOf(body: Prices): number {
  const type2 = isGiven(body.max_fee_per_gas) || isGiven(body.max_priority_fee_per_gas);
  return [isGiven(body.gas_price), isGiven(body.speed), type2].filter(Boolean).length;
}

export function isGiven(field: unknown): boolean {
  return (field ?? null) !== null;
}
