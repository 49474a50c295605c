import { isSignedXdr } from "../../encoding/xdr.ts";
import { MAX_INT64 } from "../../largest-integers.ts";
import { integer, optional, refusing } from "../schema-parts.ts";
import { transactionMemoSchema } from "../stellar-memo.ts";
import { stellarValidUntil } from "../valid-until.ts";
import * as z from "../zod.ts";
import { stellarAddress, validXdr, xdrText } from "./stellar/fields.ts";
import { operationsRules, operationsSchema } from "./stellar/operations.ts";

/** The fields alone, without the rules across them. */
export const stellarTransactionShape = z.strictObject({
  network: z.string().check(z.minLength(1, "a network name")),
  source_account: optional(stellarAddress("G", "M")),
  operations: optional(operationsSchema),
  transaction_xdr: optional(xdrText),
  memo: optional(transactionMemoSchema),
  valid_until: optional(stellarValidUntil),
  fee_bump: optional(z.boolean("true or false")),
  max_fee: optional(integer(0n, MAX_INT64, `a whole number of stroops from 0 to ${MAX_INT64}`)),
  signed_auth_entry: optional(z.string().check(z.minLength(1, "the signed entry, in base64"))),
});

type Body = z.infer<typeof stellarTransactionShape>;

/** The first checks of facts 5.7, in the service's words and order. An empty list counts as absent. */
const fieldRules = [
  refusing<Body>(
    "transaction_xdr",
    "Cannot provide both operations and transaction_xdr",
    (body) => hasOperations(body) && Boolean(body.transaction_xdr),
  ),
  refusing<Body>(
    "operations",
    "Must provide either operations or transaction_xdr",
    (body) => !hasOperations(body) && !body.transaction_xdr,
  ),
  refusing<Body>(
    "fee_bump",
    "Cannot request fee_bump with operations mode",
    (body) => body.fee_bump === true && hasOperations(body),
  ),
  refusing<Body>(
    "signed_auth_entry",
    "signed_auth_entry requires transaction_xdr to be provided",
    (body) => Boolean(body.signed_auth_entry) && !body.transaction_xdr,
  ),
  refusing<Body>(
    "signed_auth_entry",
    "Cannot use both signed_auth_entry and fee_bump",
    (body) => Boolean(body.signed_auth_entry) && body.fee_bump === true,
  ),
];

/** The second stage. */
const envelopeRules = [
  validXdr,
  refusing<Body>(
    "fee_bump",
    "Cannot request fee_bump with unsigned XDR",
    (body) => body.fee_bump === true && isSigned(body) === false,
  ),
  refusing<Body>(
    "transaction_xdr",
    "Expected unsigned XDR but received signed XDR",
    (body) => body.fee_bump !== true && !body.signed_auth_entry && isSigned(body) === true,
  ),
];

export const stellarTransactionSchema = stellarTransactionShape.check(
  ...fieldRules,
  ...envelopeRules,
  ...operationsRules,
);

/** Only the rules across fields, in stages, for a body whose fields are already validated. */
export const stellarTransactionStages = [fieldRules, envelopeRules, operationsRules].map((rules) =>
  z.custom<Body>().check(...(rules as typeof fieldRules)),
);

function hasOperations({ operations }: Body): boolean {
  return (operations?.length ?? 0) > 0;
}

function isSigned({ transaction_xdr: xdr }: Body): boolean | undefined {
  return typeof xdr === "string" ? isSignedXdr(xdr) : undefined;
}
