import type { NetworkKind } from "../../contract/network-kind.ts";
import { f32, u8, u16, u32, u64, u128 } from "./policy-numbers.ts";
import { flag, listOf, oneOf, optional, type Read, struct, text } from "./serde.ts";
import { solanaSwap, solanaTokens, stellarSwap, stellarTokens } from "./swap-policies.ts";

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
