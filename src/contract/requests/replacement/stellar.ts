import * as z from "zod/mini";
import { isSignedXdr } from "../../encoding/xdr.ts";
import { MAX_INT64 } from "../../limits.ts";
import { base64, integer, refusing } from "../schema-parts.ts";
import { memoSchema } from "../stellar-memo.ts";
import { stellarValidUntil } from "../valid-until.ts";

const shape = z.strictObject({
  network: z.string().check(z.minLength(1, "a network name")),
  source_account: z.exactOptional(z.nullable(z.string().check(z.minLength(1, "an account")))),
  operations: z.exactOptional(z.nullable(z.array(z.looseObject({}), "a list of operations"))),
  transaction_xdr: z.exactOptional(z.nullable(base64("base64 of a transaction"))),
  memo: z.exactOptional(z.nullable(memoSchema)),
  valid_until: z.exactOptional(z.nullable(stellarValidUntil)),
  fee_bump: z.exactOptional(z.nullable(z.boolean("true or false"))),
  max_fee: z.exactOptional(z.nullable(integer(0n, MAX_INT64, `a whole number of stroops from 0 to ${MAX_INT64}`))),
});

type Body = z.infer<typeof shape>;

/**
 * The rules that the interface shares (interface 3.3), in the words of facts 5.7. Everything else is passed on
 * unchanged.
 */
export const stellarReplacementSchema = shape.check(
  refusing("transaction_xdr", "Cannot provide both operations and transaction_xdr", (body) =>
    Boolean(body.operations && body.transaction_xdr),
  ),
  refusing(
    "fee_bump",
    (body) => feeBumpProblem(body) ?? "",
    (body) => feeBumpProblem(body) !== undefined,
  ),
);

function feeBumpProblem({ fee_bump: wrap, operations, transaction_xdr: xdr }: Body): string | undefined {
  if (!wrap) return undefined;
  if (operations) return "Cannot request fee_bump with operations mode";
  if (!xdr) return "needs a signed transaction_xdr";
  return isSignedXdr(xdr) ? undefined : "Cannot request fee_bump with unsigned XDR";
}
