import * as z from "zod/mini";

/** interface.md, Transaction replacement request, Solana-style field: an encoded serialized transaction, base64 on the real service. */
export interface SolanaReplacement {
  transaction: string;
}

export const solanaReplacementSchema = z.strictObject({
  transaction: z.string().check(z.minLength(1, "an encoded transaction")),
});
