import * as z from "zod/mini";
import { MAX_INT64 } from "../../limits.ts";
import { isSignedXdr } from "../../xdr.ts";
import { integer } from "../integer.ts";
import { moment } from "../moment.ts";
import { memoSchema } from "./memo.ts";

const shape = z.strictObject({
  network: z.string().check(z.minLength(1, "a network name")),
  source_account: z.exactOptional(z.nullable(z.string().check(z.minLength(1, "an account")))),
  operations: z.exactOptional(z.nullable(z.array(z.looseObject({}), "a list of operations"))),
  transaction_xdr: z.exactOptional(z.nullable(z.string().check(z.minLength(1, "base64 of a transaction")))),
  memo: z.exactOptional(z.nullable(memoSchema)),
  valid_until: z.exactOptional(z.nullable(moment("RFC 3339 with a zone, or unix seconds", /^[0-9]+$/))),
  fee_bump: z.exactOptional(z.nullable(z.boolean("true or false"))),
  max_fee: z.exactOptional(z.nullable(integer(0n, MAX_INT64, `a whole number of stroops from 0 to ${MAX_INT64}`))),
});

export const stellarReplacementSchema = shape.check(
  z.refine((body) => !(body.operations && body.transaction_xdr), {
    path: ["transaction_xdr"],
    error: "cannot be given together with operations",
  }),
  z.refine(
    (body) =>
      !body.fee_bump || (typeof body.transaction_xdr === "string" && isSignedXdr(body.transaction_xdr) === true),
    {
      path: ["fee_bump"],
      error: "needs a signed transaction_xdr",
    },
  ),
);
