import type { JsonValue } from "../../contract/json.ts";
import { f32, u8, u64 } from "./policy-numbers.ts";
import { flag, listOf, oneOf, optional, type Read, struct, text } from "./serde.ts";

const anything: Read<JsonValue> = (value) => value;

const tokenSwap = optional(
  struct("AllowedTokenSwapConfig", {
    slippage_percentage: optional(f32),
    min_amount: optional(u64),
    max_amount: optional(u64),
    retain_min_amount: optional(u64),
  }),
);

/** Reads a token's limits and swap settings (facts 4.3). The values are validated with the whole relayer. */
export const solanaTokens = listOf(
  struct(
    "SolanaAllowedTokensPolicy",
    {
      mint: text,
      decimals: optional(u8),
      symbol: optional(text),
      max_allowed_fee: optional(u64),
      swap_config: tokenSwap,
    },
    { required: ["mint"] },
  ),
);

export const stellarTokens = listOf(
  struct(
    "StellarAllowedTokensPolicy",
    { asset: text, metadata: anything, max_allowed_fee: optional(u64), swap_config: tokenSwap },
    { required: ["asset"] },
  ),
);

export const solanaSwap = asSent(
  struct("RelayerSolanaSwapConfig", {
    strategy: optional(oneOf(["jupiter-swap", "jupiter-ultra", "noop"])),
    cron_schedule: optional(text),
    min_balance_threshold: optional(u64),
    jupiter_swap_options: optional(
      struct("JupiterSwapOptions", {
        priority_fee_max_lamports: optional(u64),
        priority_level: optional(text),
        dynamic_compute_unit_limit: optional(flag),
      }),
    ),
  }),
);

export const stellarSwap = asSent(
  struct("RelayerStellarSwapConfig", {
    strategies: optional(listOf(oneOf(["order-book", "soroswap"]))),
    cron_schedule: optional(text),
    min_balance_threshold: optional(u64),
  }),
);

/** Keeps the value as sent, with its nulls, which clear fields in a merge. */
function asSent(read: Read<unknown>): Read<JsonValue> {
  return (value) => {
    read(value);
    return value;
  };
}
