import * as z from "zod/mini";
import { isJsonInteger, type JsonInteger } from "../json.ts";
import { MAX_INT64, MAX_U128 } from "../limits.ts";

/**
 * Accepts an integer of a request, in an inclusive range.
 * @param ofText the message for a text, if it is not the rule
 */
export function integer(
  least: bigint,
  most: bigint,
  rule = `a whole number from ${least} to ${most}`,
  ofText = rule,
): z.ZodMiniType<JsonInteger> {
  return z.custom<JsonInteger>((value) => isJsonInteger(value) && BigInt(value) >= least && BigInt(value) <= most, {
    error: ({ input }) => (typeof input === "string" ? ofText : rule),
  });
}

/** interface 1.5: `value` is u128, >= 0. */
export const u128 = integer(0n, MAX_U128);
/** interface 1.5: `gas_limit` and the memo ID are int64, >= 0. */
export const int64 = integer(0n, MAX_INT64);
