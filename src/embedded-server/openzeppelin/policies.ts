import { MAX_U32, MAX_U64, MAX_U128 } from "../../contract/amount.ts";
import { type JsonInteger, type JsonValue, NumberLiteral } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { type PolicyField, type PolicyFields, policyFields } from "../../contract/policy.ts";
import {
  flag,
  type Read,
  ShapeError,
  serdeAsSent,
  serdeDigitsFault,
  serdeInt,
  serdeList,
  serdeOneOf,
  serdeOptional,
  serdeStruct,
  serdeUnexpectedType,
  text,
} from "./serde.ts";

/** The policies in the order of the service's responses; the service reads Stellar's in another order. */
export const POLICIES: Readonly<Record<NetworkKind, readonly string[]>> = {
  evm: [
    ...["min_balance", "gas_limit_estimation", "gas_price_cap", "whitelist_receivers", "eip1559_pricing"],
    ...["private_transactions", "include_revert_data"],
  ],
  solana: Object.keys(policyFields.solana),
  stellar: [
    ...["max_fee", "timeout_seconds", "min_balance", "concurrent_transactions", "allowed_tokens"],
    ...["fee_payment_strategy", "slippage_percentage", "fee_margin_percentage", "swap_config"],
  ],
};
const READ = { ...POLICIES, stellar: [...new Set(["min_balance", ...POLICIES.stellar])] };

/** Reads a JSON integer up to 2^64 − 1, or a string of digits up to 2^128 − 1 (facts 13.11). */
const u128: Read<JsonInteger> = (value) => {
  if (typeof value !== "string") return integer(value);
  const why = serdeDigitsFault(value, MAX_U128);
  if (why !== undefined) throw new ShapeError(why);
  return BigInt(value);
};

function integer(value: JsonValue): JsonInteger {
  if ((typeof value === "number" || typeof value === "bigint") && value < 0) {
    throw new ShapeError("negative value cannot be converted to u128");
  }
  return serdeInt("a string containing a u128 number or a u128 integer", MAX_U128)(value);
}

/** Reads a number that is then written with a decimal point, like the service's (recorded, policies). */
const f32: Read<JsonValue> = (value) => {
  if (value === null || !Number.isFinite(Number(String(value))) || typeof value === "string")
    throw serdeUnexpectedType(value, "f32");
  return Number.isInteger(value) ? new NumberLiteral(`${Number(value)}.0`) : value;
};

/** The service's names of its structures, which its messages contain. */
const STRUCTS: Readonly<Record<string, string>> = {
  evm: "RelayerEvmPolicy",
  solana: "RelayerSolanaPolicy",
  "solana.allowed_tokens": "SolanaAllowedTokensPolicy",
  "solana.allowed_tokens.swap_config": "AllowedTokenSwapConfig",
  "solana.swap_config": "RelayerSolanaSwapConfig",
  "solana.swap_config.jupiter_swap_options": "JupiterSwapOptions",
  stellar: "RelayerStellarPolicy",
  "stellar.allowed_tokens": "StellarAllowedTokensPolicy",
  "stellar.allowed_tokens.swap_config": "AllowedTokenSwapConfig",
  "stellar.swap_config": "RelayerStellarSwapConfig",
};

function createStructReader(
  path: string,
  fields: PolicyFields,
  { names = Object.keys(fields), key }: { names?: readonly string[]; key?: string },
): Read<Record<string, unknown>> {
  const reads = names.flatMap((name) => {
    const field = fields[name];
    const read = field && createReader(`${path}.${name}`, field);
    return read ? [[name, name === key || field.type === "json" ? read : serdeOptional(read)]] : [];
  });
  return serdeStruct(STRUCTS[path] ?? path, Object.fromEntries(reads));
}

function createReader(path: string, field: PolicyField): Read<unknown> {
  switch (field.type) {
    case "amount":
    case "integer":
      return INTEGERS.get(field.most) ?? u128;
    case "flag":
      return flag;
    case "decimal":
      return f32;
    case "word":
      return field.words && !field.form ? serdeOneOf(field.words) : text;
    case "json":
      return (value) => value;
    case "object": {
      const read = createStructReader(path, field.fields, {});
      return path.endsWith("tokens.swap_config") || !path.endsWith(".swap_config") ? read : serdeAsSent(read);
    }
    case "list":
      if (field.entry) return serdeList(createStructReader(path, field.entry.fields, { key: field.entry.key }));
      return serdeList(field.words ? serdeOneOf(field.words) : text);
  }
}

const INTEGERS: ReadonlyMap<bigint, Read<unknown>> = new Map([
  [255n, serdeInt("u8", 255n)],
  [65_535n, serdeInt("u16", 65_535n)],
  [MAX_U32, serdeInt("u32", MAX_U32)],
  [MAX_U64, serdeInt("u64", MAX_U64)],
]);

/** Reads the policies of a request by the kind of the relayer's network (facts 4.3). */
export const readPolicies: Readonly<Record<NetworkKind, Read<Record<string, unknown>>>> = {
  evm: createStructReader("evm", policyFields.evm, { names: READ.evm }),
  solana: createStructReader("solana", policyFields.solana, { names: READ.solana }),
  stellar: createStructReader("stellar", policyFields.stellar, { names: READ.stellar }),
};
