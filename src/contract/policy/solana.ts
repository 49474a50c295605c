import { MAX_U64 } from "../amount.ts";
import { CRON_FORM, cronProblem } from "./cron.ts";
import type { ListEntry, PolicyField, PolicyFields } from "./field.ts";

const ADDRESS = {
  problem: (text: string) =>
    /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) ? undefined : "Public key must be a valid Solana address",
  rule: "a Solana address (32 to 44 base58 characters)",
  example: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
};
const addresses = {
  type: "list",
  form: ADDRESS,
  addresses: "solana",
  rule: "a list of Solana addresses",
  example: ADDRESS.example,
  guards: true,
} as const;

export const feeMarginField = {
  type: "decimal",
  refusal: "Negative fee margin percentage values are not accepted",
} as const satisfies PolicyField;

/** The four fields of a token's swap settings, for Solana and Stellar (facts 4.3). */
const tokenSwapFields = {
  slippage_percentage: { type: "decimal" },
  min_amount: { type: "integer", most: MAX_U64 },
  max_amount: { type: "integer", most: MAX_U64 },
  retain_min_amount: { type: "integer", most: MAX_U64 },
} as const satisfies PolicyFields;

/** The schedule of swaps (facts 4.3). */
export const cronField = {
  type: "word",
  form: { problem: cronProblem, rule: CRON_FORM, example: "0 0 * * * *" },
} as const satisfies PolicyField;

export const tokenFields = {
  max_allowed_fee: { type: "integer", most: MAX_U64 },
  swap_config: { type: "object", fields: tokenSwapFields },
} as const satisfies PolicyFields;

const allowedToken = {
  key: "mint",
  fields: {
    mint: { type: "word", form: ADDRESS },
    decimals: { type: "integer", most: 255n },
    symbol: { type: "word", form: { problem: () => undefined, rule: "a text", example: "USDC" } },
    ...tokenFields,
  },
  filledIn: ["decimals", "symbol"],
} as const satisfies ListEntry;

const LEVELS = ["medium", "high", "veryHigh"] as const;

function levelProblem(text: string): string | undefined {
  if (text === "") return "Priority level cannot be empty";
  return LEVELS.some((level) => level === text) ? undefined : `Priority level must be one of: ${LEVELS.join(", ")}`;
}

export const tokensGuard = {
  unset: "any token may be used",
  empty: "any token may be used, or none",
  guards: true,
} as const;

/** facts 4.3, Solana: every number has at most 64 bits and is a JSON integer (facts 13.11). */
export const solanaPolicyFields = {
  allowed_programs: {
    ...addresses,
    unset: "any program may be called",
    empty: "any program may be called, or none",
  },
  max_signatures: { type: "integer", most: 255n },
  max_tx_data_size: { type: "integer", most: 65_535n, default: 1232n },
  min_balance: { type: "amount", unit: "lamport", most: MAX_U64, default: 10_000_000n },
  allowed_tokens: { type: "list", entry: allowedToken, addresses: "solana", rule: "a list of tokens", ...tokensGuard },
  fee_payment_strategy: { type: "word", words: ["user", "relayer"], unset: "same as user", sameAsUnset: "user" },
  fee_margin_percentage: feeMarginField,
  allowed_accounts: {
    ...addresses,
    unset: "any account may be used",
    empty: "any account may be used, or none",
  },
  disallowed_accounts: {
    ...addresses,
    unset: "no account is rejected",
    empty: "no account is rejected",
  },
  max_allowed_fee_lamports: { type: "amount", unit: "lamport", most: MAX_U64 },
  swap_config: {
    type: "object",
    fields: {
      strategy: { type: "word", words: ["jupiter-swap", "jupiter-ultra", "noop"] },
      cron_schedule: cronField,
      min_balance_threshold: { type: "amount", unit: "lamport", most: MAX_U64 },
      jupiter_swap_options: {
        type: "object",
        fields: {
          priority_fee_max_lamports: {
            type: "amount",
            unit: "lamport",
            least: 1n,
            most: MAX_U64,
            refusal: "Max lamports must be greater than 0",
          },
          priority_level: { type: "word", words: LEVELS, form: { problem: levelProblem, rule: LEVELS.join(" or ") } },
          dynamic_compute_unit_limit: { type: "flag" },
        },
      },
    },
  },
} as const satisfies PolicyFields;
