import { solanaAddressProblem } from "../encoding/base58.ts";
import type { JsonObject } from "../json.ts";
import { stellarAssetProblem } from "../policy.ts";
import { optionalSchema, problemSchemaCheck, refuseIf } from "./schema-parts.ts";
import { encodedTransaction } from "./transaction/solana.ts";
import { stellarAddressField, validXdr, xdrText } from "./transaction/stellar/fields.ts";
import { operationsSchema } from "./transaction/stellar/operations.ts";
import * as z from "./zod.ts";

const stellar = z.strictObject({
  transaction_xdr: optionalSchema(xdrText),
  operations: optionalSchema(operationsSchema),
  source_account: optionalSchema(stellarAddressField("G", "M")),
  fee_token: z.string().check(problemSchemaCheck(tokenProblem)),
});

/** The kinds of network whose transactions can be paid in a token (facts 3.5). */
export type SponsoredKind = "solana" | "stellar";

/** The bodies of quotes and builds, with the service's messages and order (facts 3.5). */
export const sponsoredSchemas: Record<SponsoredKind, z.ZodMiniType<JsonObject>> = {
  solana: z.strictObject({
    transaction: encodedTransaction,
    fee_token: z.string().check(problemSchemaCheck(solanaAddressProblem)),
  }) as unknown as z.ZodMiniType<JsonObject>,
  stellar: stellar.check(
    refuseIf(
      "transaction_xdr",
      "Cannot provide both transaction_xdr and operations",
      (body) => Boolean(body.transaction_xdr) && Boolean(body.operations),
    ),
    refuseIf(
      "transaction_xdr",
      "Must provide either transaction_xdr or operations",
      (body) => !body.transaction_xdr && !body.operations,
    ),
    refuseIf(
      "source_account",
      "source_account is required when providing operations",
      (body) => Boolean(body.operations) && !body.source_account,
    ),
    validXdr,
  ) as unknown as z.ZodMiniType<JsonObject>,
};

function tokenProblem(text: string): string | undefined {
  const problem = stellarAssetProblem(text);
  return problem && `Invalid fee_token structure: ${problem}`;
}
