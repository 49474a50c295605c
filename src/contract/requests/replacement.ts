import { addressProblem, hexProblem } from "../address.ts";
import { isSignedXdr } from "../encoding/xdr.ts";
import { MAX_INT64, MAX_U128 } from "../largest-integers.ts";
import type { NetworkKind } from "../network-kind.ts";
import { type Replacement, SPEEDS } from "../transaction/replacement.ts";
import { crossedPrices, mixedPrices } from "./evm-prices.ts";
import { base64, int64, integer, problemCheck, refusing, u128 } from "./schema-parts.ts";
import { memoSchema } from "./stellar-memo.ts";
import { evmValidUntil, stellarValidUntil } from "./valid-until.ts";
import * as z from "./zod.ts";

/** The interface sets no upper bound for gas prices (interface 3.1); in the service they are u128 (facts 5.3). */
const price = integer(0n, MAX_U128, `a whole number of wei from 0 to ${MAX_U128}`);

const evmShape = z.strictObject({
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
const evmReplacementSchema = evmShape.check(...mixedPrices, crossedPrices);

const solanaReplacementSchema = z.strictObject({
  transaction: z.string().check(z.minLength(1, "an encoded transaction")),
});

const stellarShape = z.strictObject({
  network: z.string().check(z.minLength(1, "a network name")),
  source_account: z.exactOptional(z.nullable(z.string().check(z.minLength(1, "an account")))),
  operations: z.exactOptional(z.nullable(z.array(z.looseObject({}), "a list of operations"))),
  transaction_xdr: z.exactOptional(z.nullable(base64("base64 of a transaction"))),
  memo: z.exactOptional(z.nullable(memoSchema)),
  valid_until: z.exactOptional(z.nullable(stellarValidUntil)),
  fee_bump: z.exactOptional(z.nullable(z.boolean("true or false"))),
  max_fee: z.exactOptional(z.nullable(integer(0n, MAX_INT64, `a whole number of stroops from 0 to ${MAX_INT64}`))),
});

type StellarBody = z.infer<typeof stellarShape>;

/** Rules that the interface shares (3.3), in the words of facts 5.7. Everything else passes unchanged. */
const stellarReplacementSchema = stellarShape.check(
  refusing("transaction_xdr", "Cannot provide both operations and transaction_xdr", (body) =>
    Boolean(body.operations && body.transaction_xdr),
  ),
  refusing(
    "fee_bump",
    (body) => feeBumpProblem(body) ?? "",
    (body) => feeBumpProblem(body) !== undefined,
  ),
);

/** The request schemas of a replacement (interface 3). */
export const replacementSchemas: Record<NetworkKind, z.ZodMiniType<Replacement>> = {
  evm: evmReplacementSchema as unknown as z.ZodMiniType<Replacement>,
  solana: solanaReplacementSchema,
  stellar: stellarReplacementSchema as unknown as z.ZodMiniType<Replacement>,
};

function feeBumpProblem({ fee_bump: wrap, operations, transaction_xdr: xdr }: StellarBody): string | undefined {
  if (!wrap) return undefined;
  if (operations) return "Cannot request fee_bump with operations mode";
  if (!xdr) return "needs a signed transaction_xdr";
  return isSignedXdr(xdr) ? undefined : "Cannot request fee_bump with unsigned XDR";
}
