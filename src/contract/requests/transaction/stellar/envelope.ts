import * as z from "zod/mini";
import { INVALID_XDR, isSignedXdr } from "../../../encoding/xdr.ts";
import { refusing } from "../../refusing.ts";

/** A Stellar transaction envelope in base64, signed or not. */
export const xdrText = z.string().check(z.minLength(1, "base64 of a transaction"));

/** The service parses the envelope after checking the other fields (facts 5.7). */
export const validXdr = refusing<{ transaction_xdr?: string | null }>(
  "transaction_xdr",
  INVALID_XDR,
  ({ transaction_xdr: xdr }) => typeof xdr === "string" && isSignedXdr(xdr) === undefined,
);
