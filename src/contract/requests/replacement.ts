import * as z from "zod/mini";
import { addressProblem, hexProblem } from "../address.ts";
import { MAX_U128 } from "../limits.ts";
import type { NetworkKind } from "../network-kind.ts";
import { type Replacement, SPEEDS } from "../transaction/replacement.ts";
import { crossedPrices, mixedPrices } from "./evm-prices.ts";
import { stellarReplacementSchema } from "./replacement/stellar.ts";
import { int64, integer, problemCheck, u128 } from "./schema-parts.ts";
import { evmValidUntil } from "./valid-until.ts";

/** The interface sets no upper bound for gas prices (interface 3.1); in the service they are u128 (facts 5.3). */
const price = integer(0n, MAX_U128, `a whole number of wei from 0 to ${MAX_U128}`);

const shape = z.strictObject({
  value: u128,
  to: z.exactOptional(z.string().check(problemCheck(addressProblem))),
  data: z.exactOptional(z.string().check(problemCheck(hexProblem))),
  gas_limit: z.exactOptional(z.nullable(int64)),
  gas_price: z.exactOptional(price),
  max_fee_per_gas: z.exactOptional(price),
  max_priority_fee_per_gas: z.exactOptional(price),
  speed: z.exactOptional(z.enum(SPEEDS, `one of ${SPEEDS.join(", ")}`)),
  valid_until: z.exactOptional(evmValidUntil),
});

/**
 * Two ways to set a price, and a tip above the fee, are contradictions on any service (facts 5.3, rules 8 and 10). The
 * interface leaves open what else the real service requires.
 */
const evmReplacementSchema = shape.check(...mixedPrices, crossedPrices);

const solanaReplacementSchema = z.strictObject({
  transaction: z.string().check(z.minLength(1, "an encoded transaction")),
});

export const replacementSchemas: Record<NetworkKind, z.ZodMiniType<Replacement>> = {
  evm: evmReplacementSchema as unknown as z.ZodMiniType<Replacement>,
  solana: solanaReplacementSchema,
  stellar: stellarReplacementSchema as unknown as z.ZodMiniType<Replacement>,
};
