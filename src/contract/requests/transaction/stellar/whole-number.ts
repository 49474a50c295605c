import * as z from "zod/mini";
import { isJsonInteger } from "../../../json.ts";

/** Accepts a whole number of up to 64 bits, as an integer or as a string of digits (facts 5.7). */
export function wholeNumber(most: bigint, unit?: string): z.ZodMiniType<string | number | bigint> {
  const isWhole = (value: unknown) => isJsonInteger(value) || (typeof value === "string" && /^[0-9]+$/.test(value));
  return z.custom<string | number | bigint>(
    (value) => isWhole(value) && BigInt(value as string) >= 0n && BigInt(value as string) <= most,
    `a whole number ${unit ? `of ${unit} ` : ""}from 0 to ${most}`,
  );
}
