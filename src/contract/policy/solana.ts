import * as z from "zod/mini";
import { integer, MAX_U64 } from "../integer.ts";
import { fieldSchema, type PolicyField, type PolicyFields } from "./field.ts";

const solanaAddress = z
  .string()
  .check(z.regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, "a Solana address (32 to 44 base58 characters)"));
const addresses = { type: "list", item: solanaAddress, rule: "a list of Solana addresses" } as const;

/** The four members of a token's own swap settings, on Solana and Stellar alike (service-facts 4.3). */
export const tokenSwapFields = {
  slippage_percentage: { type: "decimal" },
  min_amount: { type: "integer", most: MAX_U64 },
  max_amount: { type: "integer", most: MAX_U64 },
  retain_min_amount: { type: "integer", most: MAX_U64 },
} as const satisfies PolicyFields;

/** The service reads cron with seconds first, or a word such as `@daily`; it refuses anything else (service-facts 4.3). */
export const cronField = {
  type: "word",
  form: { pattern: /^(?:@\w+|\S+(?:\s+\S+){5,6})$/, rule: "6 or 7 cron fields, seconds first, as 0 0 * * * *" },
} as const satisfies PolicyField;

const allowedToken = z.strictObject({
  mint: solanaAddress,
  decimals: z.exactOptional(z.nullable(integer(0n, 255n))),
  symbol: z.exactOptional(z.nullable(z.string())),
  max_allowed_fee: z.exactOptional(z.nullable(integer(0n, MAX_U64))),
  swap_config: z.exactOptional(fieldSchema({ type: "object", members: tokenSwapFields })),
});

/** service-facts 4.3, Solana: every number is 64 bits or fewer and a JSON integer (13.11). */
export const solanaPolicyFields = {
  allowed_programs: addresses,
  max_signatures: { type: "integer", most: 255n },
  max_tx_data_size: { type: "integer", most: 65_535n, default: 1232n },
  min_balance: { type: "amount", unit: "lamport", most: MAX_U64, default: 10_000_000n },
  allowed_tokens: { type: "list", item: allowedToken as unknown as z.ZodMiniType<never>, rule: "a list of tokens" },
  fee_payment_strategy: { type: "word", words: ["user", "relayer"] },
  fee_margin_percentage: { type: "decimal" },
  allowed_accounts: addresses,
  disallowed_accounts: addresses,
  max_allowed_fee_lamports: { type: "amount", unit: "lamport", most: MAX_U64 },
  swap_config: {
    type: "object",
    members: {
      strategy: { type: "word", words: ["jupiter-swap", "jupiter-ultra", "noop"] },
      cron_schedule: cronField,
      min_balance_threshold: { type: "amount", unit: "lamport", most: MAX_U64 },
      jupiter_swap_options: {
        type: "object",
        members: {
          priority_fee_max_lamports: { type: "amount", unit: "lamport", least: 1n, most: MAX_U64 },
          priority_level: { type: "word", words: ["medium", "high", "veryHigh"] },
          dynamic_compute_unit_limit: { type: "flag" },
        },
      },
    },
  },
} as const satisfies PolicyFields;
