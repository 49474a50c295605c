import * as z from "zod/mini";
import { stellarAddress } from "./address.ts";

function code(least: number, most: number): z.ZodMiniString {
  const pattern = new RegExp(`^[A-Za-z0-9]{${least},${most}}$`);
  return z.string().check(z.regex(pattern, `${least} to ${most} letters and digits`));
}

/** facts 5.7, AssetSpec. */
export const assetSchema = z.discriminatedUnion(
  "type",
  [
    z.strictObject({ type: z.literal("native") }),
    z.strictObject({ type: z.literal("credit4"), code: code(1, 4), issuer: stellarAddress("G") }),
    z.strictObject({ type: z.literal("credit12"), code: code(5, 12), issuer: stellarAddress("G") }),
  ],
  "one of native, credit4, credit12 with its code and issuer",
);
