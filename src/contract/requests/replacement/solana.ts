import * as z from "zod/mini";

export const solanaReplacementSchema = z.strictObject({
  transaction: z.string().check(z.minLength(1, "an encoded transaction")),
});
