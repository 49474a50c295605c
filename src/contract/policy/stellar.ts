import { MAX_U32, MAX_U64 } from "../amount.ts";
import type { ListEntry, PolicyFields } from "./field.ts";
import { cronField, feeMarginField, tokenFields, tokensGuard } from "./solana.ts";

/** The texts that mean the coin itself. */
export const NATIVE: readonly string[] = ["", "native", "XLM"];

/** Returns in the service's words why a text isn't a Stellar asset (facts 4.3). Empty is the native asset. */
export function stellarAssetProblem(text: string): string | undefined {
  if (NATIVE.includes(text) || /^C[0-9A-Z]{55}$/.test(text)) return undefined;
  const [code = "", issuer, ...more] = text.split(":");
  if (issuer === undefined || more.length > 0)
    return "Asset identifier must be 'native', 'XLM', 'CODE:ISSUER', or a contract address";
  return codeProblem(code) ?? issuerProblem(issuer);
}

function codeProblem(code: string): string | undefined {
  if (code.length < 1 || code.length > 12) return "Asset code must be between 1 and 12 characters";
  return /^[A-Za-z0-9]+$/.test(code) ? undefined : "Asset code must contain only alphanumeric characters";
}

function issuerProblem(issuer: string): string | undefined {
  if (issuer.length !== 56) return "Issuer address must be 56 characters long";
  if (!issuer.startsWith("G")) return "Issuer address must start with 'G'";
  return /^[0-9A-Z]+$/.test(issuer) ? undefined : "Issuer address must be a valid Stellar address";
}

const allowedToken = {
  key: "asset",
  fields: {
    asset: {
      type: "word",
      form: { problem: stellarAssetProblem, rule: "native, XLM, CODE:ISSUER or a contract address", example: "native" },
    },
    metadata: {
      type: "json",
      holds: "stellar asset metadata",
      example: '{"kind":"native","decimals":7,"canonical_asset_id":"native"}',
    },
    ...tokenFields,
  },
  aliases: { "": "native", XLM: "native" },
  filledIn: ["metadata"],
} as const satisfies ListEntry;

/** facts 4.3, Stellar. `fee_payment_strategy` is required, and checked by the service after the merge. */
export const stellarPolicyFields = {
  fee_payment_strategy: { type: "word", words: ["user", "relayer"] },
  min_balance: { type: "amount", unit: "stroop", most: MAX_U64, default: 1_000_000n },
  max_fee: { type: "amount", unit: "stroop", most: MAX_U32 },
  timeout_seconds: { type: "integer", most: MAX_U64 },
  concurrent_transactions: { type: "flag" },
  slippage_percentage: { type: "decimal", most: 100, refusal: "Slippage percentage must be between 0 and 100" },
  fee_margin_percentage: feeMarginField,
  allowed_tokens: { type: "list", entry: allowedToken, addresses: "stellar", rule: "a list of tokens", ...tokensGuard },
  swap_config: {
    type: "object",
    fields: {
      strategies: {
        type: "list",
        rule: "a list of order-book, soroswap",
        least: 1,
        refusal: "Swap config must include at least one strategy",
        words: ["order-book", "soroswap"],
      },
      cron_schedule: cronField,
      min_balance_threshold: { type: "amount", unit: "stroop", most: MAX_U64 },
    },
  },
} as const satisfies PolicyFields;
