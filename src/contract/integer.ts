import * as z from "zod/mini";
import { isJsonInteger, type JsonInteger } from "./json.ts";

export const MAX_INT64 = 2n ** 63n - 1n;
export const MAX_U64 = 2n ** 64n - 1n;
export const MAX_U128 = 2n ** 128n - 1n;

/** An integer of a request, in a range that includes both ends. */
export function integer(
  least: bigint,
  most: bigint,
  rule = `a whole number from ${least} to ${most}`,
): z.ZodMiniType<JsonInteger> {
  return z.custom<JsonInteger>(
    (value) => isJsonInteger(value) && BigInt(value) >= least && BigInt(value) <= most,
    rule,
  );
}

/** interface.md, Limits: `value` is u128, >= 0. */
export const u128 = integer(0n, MAX_U128);
/** interface.md, Limits: `gas_limit` and the memo id are int64, >= 0. */
export const int64 = integer(0n, MAX_INT64);
export const u64 = integer(0n, MAX_U64);
