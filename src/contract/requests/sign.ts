import { base64Bytes } from "../encoding/base64.ts";
import { isSignedXdr } from "../encoding/xdr.ts";
import { problemCheck } from "./schema-parts.ts";
import * as z from "./zod.ts";

/** facts 3.2: an EVM relayer signs it with the prefix of EIP-191. */
export const signMessageSchema = z.strictObject({ message: z.string() });

/** facts 3.2: the two hashes of EIP-712, 32 bytes of hex each, with or without 0x. */
export const signTypedDataSchema = z.strictObject({
  domain_separator: hash("domain separator"),
  hash_struct_message: hash("hash struct message"),
});

const BYTES = 32;

/** Accepts a hash, with the words of the service, which responds with 500 to a wrong length. */
function hash(what: string): z.ZodMiniString {
  const problem = (text: string) => {
    const digits = text.replace(/^0x/, "");
    if (!/^[0-9a-f]*$/i.test(digits)) return "needs hex digits, with 0x or without";
    if (digits.length % 2 === 1) return "has an odd number of hex digits";
    const length = digits.length / 2;
    return length === BYTES ? undefined : `Invalid ${what} length: expected ${BYTES} bytes, got ${length}`;
  };
  return z.string().check(problemCheck(problem));
}

const unsignedXdr = z
  .string()
  .check(z.refine((xdr) => isSignedXdr(xdr) !== undefined, "base64 of a Stellar transaction envelope"));
const encoded = z
  .string()
  .check(z.refine((text) => (base64Bytes(text)?.length ?? 0) > 0, "base64 of a serialized Solana transaction"));

/** facts 3.2: Stellar's body or Solana's. */
export const signTransactionSchema = z
  .strictObject({ unsigned_xdr: z.exactOptional(unsignedXdr), transaction: z.exactOptional(encoded) })
  .check(
    z.refine((body) => body.unsigned_xdr !== undefined || body.transaction !== undefined, {
      path: ["unsigned_xdr"],
      error: "is required for Stellar, or --transaction for Solana",
    }),
    z.refine((body) => body.unsigned_xdr === undefined || body.transaction === undefined, {
      path: ["transaction"],
      error: "cannot be combined with unsigned_xdr",
    }),
  );
