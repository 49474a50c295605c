import { type JsonInteger, type JsonValue, NumberLiteral } from "../../contract/json.ts";
import { MAX_U32, MAX_U64, MAX_U128 } from "../../contract/largest-integers.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { flag, listOf, oneOf, optional, type Read, ShapeError, struct, text, unexpected, whole } from "./serde.ts";

const u8 = whole("u8", 255n);
const u16 = whole("u16", 65_535n);
const u32 = whole("u32", MAX_U32);
const u64 = whole("u64", MAX_U64);

/** Reads a JSON integer up to 2^64 − 1, or a string of digits up to 2^128 − 1 (facts 13.11). */
const u128: Read<JsonInteger> = (value) => {
  if (typeof value !== "string") return integer(value);
  if (value === "") throw new ShapeError("cannot parse integer from empty string");
  if (!/^[0-9]+$/.test(value)) throw new ShapeError("invalid digit found in string");
  if (BigInt(value) > MAX_U128) throw new ShapeError("number too large to fit in target type");
  return BigInt(value);
};

function integer(value: JsonValue): JsonInteger {
  if ((typeof value === "number" || typeof value === "bigint") && value < 0) {
    throw new ShapeError("negative value cannot be converted to u128");
  }
  return whole("a string containing a u128 number or a u128 integer", MAX_U128)(value);
}

/** Reads a number that is written with a decimal point from then on, as the service does (recorded, policies). */
const f32: Read<JsonValue> = (value) => {
  if (value === null || !Number.isFinite(Number(String(value))) || typeof value === "string")
    throw unexpected(value, "f32");
  return Number.isInteger(value) ? new NumberLiteral(`${Number(value)}.0`) : value;
};

const tokenSwap = optional(
  struct("AllowedTokenSwapConfig", {
    slippage_percentage: optional(f32),
    min_amount: optional(u64),
    max_amount: optional(u64),
    retain_min_amount: optional(u64),
  }),
);

/** Reads a token's limits and swap settings (facts 4.3). The values are validated with the whole relayer. */
const solanaTokens = listOf(
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

const stellarTokens = listOf(
  struct(
    "StellarAllowedTokensPolicy",
    { asset: text, metadata: (value) => value, max_allowed_fee: optional(u64), swap_config: tokenSwap },
    { required: ["asset"] },
  ),
);

const solanaSwap = asSent(
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

const stellarSwap = asSent(
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

const strategy = oneOf(["user", "relayer"]);

type Fields = Readonly<Record<string, Read<unknown>>>;

const FIELDS: Readonly<Record<NetworkKind, Fields>> = {
  evm: {
    min_balance: u128,
    gas_limit_estimation: flag,
    gas_price_cap: u128,
    whitelist_receivers: listOf(text),
    eip1559_pricing: flag,
    private_transactions: flag,
    include_revert_data: flag,
  },
  solana: {
    allowed_programs: listOf(text),
    max_signatures: u8,
    max_tx_data_size: u16,
    min_balance: u64,
    allowed_tokens: solanaTokens,
    fee_payment_strategy: strategy,
    fee_margin_percentage: f32,
    allowed_accounts: listOf(text),
    disallowed_accounts: listOf(text),
    max_allowed_fee_lamports: u64,
    swap_config: solanaSwap,
  },
  stellar: {
    min_balance: u64,
    max_fee: u32,
    timeout_seconds: u64,
    concurrent_transactions: flag,
    allowed_tokens: stellarTokens,
    fee_payment_strategy: strategy,
    slippage_percentage: f32,
    fee_margin_percentage: f32,
    swap_config: stellarSwap,
  },
};

/** Reads the policies of a request by the kind of the relayer's network (facts 4.3). */
export const readPolicies: Readonly<Record<NetworkKind, Read<Record<string, unknown>>>> = {
  evm: policies("RelayerEvmPolicy", FIELDS.evm),
  solana: policies("RelayerSolanaPolicy", FIELDS.solana),
  stellar: policies("RelayerStellarPolicy", FIELDS.stellar),
};

function policies(name: string, fields: Fields): Read<Record<string, unknown>> {
  return struct(name, Object.fromEntries(Object.entries(fields).map(([key, read]) => [key, optional(read)])));
}
