import type { JsonValue } from "../../contract/json.ts";
import { MAX_U32, MAX_U64, MAX_U128 } from "../../contract/limits.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { flag, listOf, oneOf, optional, type Read, ShapeError, struct, text, unexpected, whole } from "./serde.ts";

const u8 = whole("u8", 255n);
const u16 = whole("u16", 65_535n);
const u32 = whole("u32", MAX_U32);
const u64 = whole("u64", MAX_U64);

/** A JSON integer up to 2^64 − 1, or a text of digits up to 2^128 − 1 (service-facts 13.11). */
const u128: Read<JsonValue> = (value) => {
  if (typeof value !== "string") return integer(value);
  if (value === "") throw new ShapeError("cannot parse integer from empty string");
  if (!/^[0-9]+$/.test(value)) throw new ShapeError("invalid digit found in string");
  if (BigInt(value) > MAX_U128) throw new ShapeError("number too large to fit in target type");
  return BigInt(value);
};

function integer(value: JsonValue): number | bigint {
  if ((typeof value === "number" || typeof value === "bigint") && value < 0) {
    throw new ShapeError("negative value cannot be converted to u128");
  }
  return whole("a string containing a u128 number or a u128 integer", MAX_U128)(value);
}

const anything: Read<JsonValue> = (value) => value;

const decimal: Read<JsonValue> = (value) => {
  if (value === null || !Number.isFinite(Number(String(value))) || typeof value === "string")
    throw unexpected(value, "f32");
  return value;
};

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
    allowed_tokens: listOf(anything),
    fee_payment_strategy: strategy,
    fee_margin_percentage: decimal,
    allowed_accounts: listOf(text),
    disallowed_accounts: listOf(text),
    max_allowed_fee_lamports: u64,
    swap_config: anything,
  },
  stellar: {
    min_balance: u64,
    max_fee: u32,
    timeout_seconds: u64,
    concurrent_transactions: flag,
    allowed_tokens: listOf(anything),
    fee_payment_strategy: strategy,
    slippage_percentage: decimal,
    fee_margin_percentage: decimal,
    swap_config: anything,
  },
};

/** Reads the policies of a request by the kind of the relayer's network (service-facts 4.3). */
export const readPolicies: Readonly<Record<NetworkKind, Read<Record<string, unknown>>>> = {
  evm: policies("RelayerEvmPolicy", FIELDS.evm),
  solana: policies("RelayerSolanaPolicy", FIELDS.solana),
  stellar: policies("RelayerStellarPolicy", FIELDS.stellar),
};

function policies(name: string, fields: Fields): Read<Record<string, unknown>> {
  return struct(name, Object.fromEntries(Object.entries(fields).map(([key, read]) => [key, optional(read)])));
}
