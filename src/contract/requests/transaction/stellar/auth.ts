import * as z from "zod/mini";
import { base64 } from "../../base64.ts";

/** facts 5.7, AuthSpec: without it the source account authorizes. */
export const authSchema = z.discriminatedUnion(
  "type",
  [
    z.strictObject({ type: z.literal("none") }),
    z.strictObject({ type: z.literal("source_account") }),
    z
      .strictObject({ type: z.literal("addresses"), signers: z.array(z.string()) })
      .check(z.refine(() => false, { path: ["type"], error: "Address-based auth not yet implemented" })),
    z.strictObject({ type: z.literal("xdr"), entries: z.array(base64()) }),
  ],
  "one of none, source_account, xdr with its entries",
);
