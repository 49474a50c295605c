import { type StrkeyKind, strkeyProblem } from "../../../encoding/strkey.ts";
import { INVALID_XDR, isSignedXdr } from "../../../encoding/xdr.ts";
import { isJsonInteger } from "../../../json.ts";
import { problemCheck, refusing } from "../../schema-parts.ts";
import * as z from "../../zod.ts";

export function stellarAddress(...kinds: readonly StrkeyKind[]): z.ZodMiniString {
  return z.string().check(problemCheck((text) => strkeyProblem(text, kinds)));
}

/** Accepts a whole number of up to 64 bits, as an integer or as a string of digits (facts 5.7). */
export function wholeNumber(most: bigint, unit?: string): z.ZodMiniType<string | number | bigint> {
  const isWhole = (value: unknown) => isJsonInteger(value) || (typeof value === "string" && /^[0-9]+$/.test(value));
  return z.custom<string | number | bigint>(
    (value) => isWhole(value) && BigInt(value as string) >= 0n && BigInt(value as string) <= most,
    `a whole number ${unit ? `of ${unit} ` : ""}from 0 to ${most}`,
  );
}

export const xdrText = z.string().check(z.minLength(1, "base64 of a transaction"));

/** The service parses the envelope after checking the other fields (facts 5.7). */
export const validXdr = refusing<{ transaction_xdr?: string | null }>(
  "transaction_xdr",
  INVALID_XDR,
  ({ transaction_xdr: xdr }) => typeof xdr === "string" && isSignedXdr(xdr) === undefined,
);
