import { addressProblem, hexProblem } from "../../address.ts";
import { isJsonInteger } from "../../json.ts";
import { MAX_U64, MAX_U256 } from "../../largest-integers.ts";
import { gasLimitProblem } from "../../transaction/intrinsic-gas.ts";
import { SPEEDS } from "../../transaction/replacement.ts";
import { crossedPrices, isGiven, mixedPrices, pricingModesOf } from "../evm-prices.ts";
import { integer, optional, problemCheck, refusing } from "../schema-parts.ts";
import { evmValidUntil } from "../valid-until.ts";
import * as z from "../zod.ts";

const value = z.custom<string | number | bigint>(isValue, "a whole number of wei from 0 to 2^256-1");

/** Returns whether a value is valid. A larger number, which the service reads as a float, is a text (facts 5.3). */
function isValue(given: unknown): boolean {
  if (isJsonInteger(given)) return BigInt(given) >= 0n && BigInt(given) <= MAX_U64;
  return typeof given === "string" && /^(?:[0-9]+|0x[0-9a-f]+)$/i.test(given) && BigInt(given) <= MAX_U256;
}

const PRICE = `a whole number of wei from 0 to ${MAX_U64}`;
/** facts 5.3: an integer without quotes, of at most 64 bits. */
const price = optional(integer(0n, MAX_U64, PRICE, `${PRICE}, without quotes`));

/** The fields alone, without the rules across them. */
export const evmTransactionShape = z.strictObject({
  value,
  to: optional(z.string().check(problemCheck(addressProblem))),
  data: optional(z.string().check(problemCheck(hexProblem))),
  gas_limit: optional(integer(0n, MAX_U64)),
  gas_price: price,
  max_fee_per_gas: price,
  max_priority_fee_per_gas: price,
  speed: optional(z.enum(SPEEDS, `one of ${SPEEDS.join(", ")}`)),
  valid_until: optional(evmValidUntil),
});

/** The receiver and the amount alone. */
export const evmTransferShape = z.pick(evmTransactionShape, { to: true, value: true });

/** facts 5.3, rules 3, 5, and 7 to 10, with the service's messages and order. */
export const evmTransactionSchema = evmTransactionShape.check(
  refusing(
    "to",
    "Both txs `to` and `data` fields are missing. At least one of them has to be set.",
    (body) => !isGiven(body.to) && !isGiven(body.data),
  ),
  refusing(
    "gas_limit",
    (body) => gasLimitProblem(body) ?? "",
    (body) => gasLimitProblem(body) !== undefined,
  ),
  refusing(
    "speed",
    "Transaction must specify either gasPrice, speed, or EIP1559 parameters",
    (body) => pricingModesOf(body) === 0,
  ),
  ...mixedPrices,
  refusing(
    "max_fee_per_gas",
    "EIP1559 transactions require both maxFeePerGas and maxPriorityFeePerGas",
    (body) => isGiven(body.max_fee_per_gas) !== isGiven(body.max_priority_fee_per_gas),
  ),
  crossedPrices,
);
