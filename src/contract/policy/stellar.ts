import * as z from "zod/mini";
import { integer, MAX_U64 } from "../integer.ts";
import { fieldSchema, type PolicyFields } from "./field.ts";
import { cronField, tokenSwapFields } from "./solana.ts";

const MAX_U32 = 2n ** 32n - 1n;

/** `native`, `XLM`, nothing, `CODE:G…` or a contract `C…` (service-facts 4.3). */
const ASSET = /^(?:|native|XLM|[A-Za-z0-9]{1,12}:G[0-9A-Z]{55}|C[0-9A-Z]{55})$/;

const assetKind = z.union([
  z.literal("native"),
  z.strictObject({ classic: z.strictObject({ code: z.string(), issuer: z.string() }) }),
  z.strictObject({ contract: z.strictObject({ contract_id: z.string() }) }),
]);

const allowedToken = z.strictObject({
  asset: z.string().check(z.regex(ASSET, "native, XLM, CODE:ISSUER or a contract address")),
  metadata: z.exactOptional(
    z.nullable(z.strictObject({ kind: assetKind, decimals: integer(0n, MAX_U32), canonical_asset_id: z.string() })),
  ),
  max_allowed_fee: z.exactOptional(z.nullable(integer(0n, MAX_U64))),
  swap_config: z.exactOptional(fieldSchema({ type: "object", members: tokenSwapFields })),
});

const strategy = z.enum(["order-book", "soroswap"], "order-book or soroswap");

/** service-facts 4.3, Stellar. `fee_payment_strategy` is required and may not be cleared; the service judges that after the merge. */
export const stellarPolicyFields = {
  fee_payment_strategy: { type: "word", words: ["user", "relayer"] },
  min_balance: { type: "amount", unit: "stroop", most: MAX_U64, default: 1_000_000n },
  max_fee: { type: "amount", unit: "stroop", most: MAX_U32 },
  timeout_seconds: { type: "integer", most: MAX_U64 },
  concurrent_transactions: { type: "flag" },
  slippage_percentage: { type: "decimal", most: 100 },
  fee_margin_percentage: { type: "decimal" },
  allowed_tokens: { type: "list", item: allowedToken as unknown as z.ZodMiniType<never>, rule: "a list of tokens" },
  swap_config: {
    type: "object",
    members: {
      strategies: { type: "list", item: strategy, rule: "a list of order-book, soroswap", least: 1 },
      cron_schedule: cronField,
      min_balance_threshold: { type: "amount", unit: "stroop", most: MAX_U64 },
    },
  },
} as const satisfies PolicyFields;
