import { MAX_U32, MAX_U64, MAX_U128, wireAmount } from "./amount.ts";
import { isJsonObject, type JsonObject, type JsonValue, objectIn } from "./json.ts";
import { isNetworkKind, type NetworkKind } from "./network-kind.ts";
import { CRON_FORM, cronProblem } from "./policy/cron.ts";
import type { ListEntry, PolicyField, PolicyFields } from "./policy/field.ts";

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

const feeMarginField = {
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
const cronField = {
  type: "word",
  form: { problem: cronProblem, rule: CRON_FORM, example: "0 0 * * * *" },
} as const satisfies PolicyField;

const tokenFields = {
  max_allowed_fee: { type: "integer", most: MAX_U64 },
  swap_config: { type: "object", fields: tokenSwapFields },
} as const satisfies PolicyFields;

const solanaToken = {
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

const tokensGuard = {
  unset: "any token may be used",
  empty: "any token may be used, or none",
  guards: true,
} as const;

/** facts 4.3, Solana: every number has at most 64 bits and is a JSON integer (facts 13.11). */
const solanaPolicyFields = {
  allowed_programs: {
    ...addresses,
    unset: "any program may be called",
    empty: "any program may be called, or none",
  },
  max_signatures: { type: "integer", most: 255n },
  max_tx_data_size: { type: "integer", most: 65_535n, default: 1232n },
  min_balance: { type: "amount", unit: "lamport", most: MAX_U64, default: 10_000_000n },
  allowed_tokens: { type: "list", entry: solanaToken, addresses: "solana", rule: "a list of tokens", ...tokensGuard },
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
const stellarPolicyFields = {
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

/** interface 2.2; units, defaults, and `include_revert_data` (v1.7) from facts 4.3. */
const evmPolicyFields = {
  eip1559_pricing: { type: "flag", default: true },
  gas_limit_estimation: { type: "flag", default: true },
  gas_price_cap: {
    type: "amount",
    unit: "wei",
    perGas: true,
    most: MAX_U128,
    unset: "no cap applies",
  },
  min_balance: { type: "amount", unit: "wei", most: MAX_U128, default: 1n },
  private_transactions: { type: "flag", default: false },
  whitelist_receivers: {
    type: "list",
    rule: "a list of addresses",
    addresses: "evm",
    example: "0x52908400098527886E0F7030069857D2E4169EE7",
    unset: "this relayer may send to any address",
    empty: "this relayer may send only to itself and the zero address",
    guards: true,
  },
  include_revert_data: { type: "flag", default: false },
} as const satisfies PolicyFields;

export * from "./policy/field.ts";

/** The fields of each kind of policy (interface 2.1, facts 4.3). */
export const policyFields: Record<NetworkKind, PolicyFields> = {
  evm: evmPolicyFields,
  solana: solanaPolicyFields,
  stellar: stellarPolicyFields,
};

/** Returns the fields of a kind, with the network's coin in its amounts; empty for an unknown kind. */
export function policyFieldsOf(kind: unknown, symbol: string | undefined): PolicyFields {
  if (!isNetworkKind(kind)) return {};
  const fields: PolicyFields = policyFields[kind];
  if (kind !== "evm" || symbol === undefined) return fields;
  const coined = Object.entries(fields).map(([key, field]) => [
    key,
    field.type === "amount" ? { ...field, symbol } : field,
  ]);
  return Object.fromEntries(coined) as PolicyFields;
}

/** Returns the service's values for unset policy fields (facts 4.3). */
export function policyDefaults(kind: unknown): Record<string, bigint | boolean> {
  if (!isNetworkKind(kind)) return {};
  const defaults = Object.entries(policyFields[kind]).flatMap(([key, field]) =>
    "default" in field && field.default !== undefined ? [[key, field.default] as const] : [],
  );
  return Object.fromEntries(defaults);
}

export interface MissingPolicy {
  path: string;
  rule: string;
}

/** Returns the missing parts of a whole policy, in the service's words: it checks after the merge (facts 4.3). */
export function policyGaps(kind: NetworkKind, policies: JsonValue | undefined): MissingPolicy[] {
  if (kind === "stellar") return isJsonObject(policies) ? missingStellarPolicies(policies) : [NO_STELLAR_POLICY];
  return kind === "solana" && isJsonObject(policies) ? missingSwapPolicies(objectIn(policies.swap_config)) : [];
}

const NO_STELLAR_POLICY: MissingPolicy = {
  path: "fee_payment_strategy",
  rule: "Stellar policy is required. fee_payment_strategy is required",
};

function missingStellarPolicies({ fee_payment_strategy, swap_config }: JsonObject): MissingPolicy[] {
  const lacksStrategy = fee_payment_strategy === undefined || fee_payment_strategy === null;
  const lacksSwap = isJsonObject(swap_config) && !(Array.isArray(swap_config.strategies) && swap_config.strategies[0]);
  return [
    ...(lacksStrategy ? [{ path: "fee_payment_strategy", rule: "Fee payment strategy is required" }] : []),
    ...(lacksSwap ? [{ path: "swap_config.strategies", rule: "Swap config must include at least one strategy" }] : []),
  ];
}

function missingSwapPolicies(swap: JsonObject): MissingPolicy[] {
  if (isJsonObject(swap.jupiter_swap_options) && (swap.strategy ?? null) === null)
    return [{ path: "swap_config.strategy", rule: "JupiterSwap options are only valid for JupiterSwap strategy" }];
  const options = objectIn(swap.jupiter_swap_options);
  const [fee, level] = [options.priority_fee_max_lamports ?? null, options.priority_level ?? null];
  const at = "swap_config.jupiter_swap_options";
  if (fee === null && level !== null) {
    const rule = "Priority Fee Max lamports must be set if priority level is set";
    return [{ path: `${at}.priority_fee_max_lamports`, rule }];
  }
  if (fee !== null && level === null) {
    return [{ path: `${at}.priority_level`, rule: "Priority level must be set if priority fee max lamports is set" }];
  }
  return [];
}

const MAINNET_ONLY: Record<string, string> = { "jupiter-swap": "JupiterSwap", "jupiter-ultra": "JupiterUltra" };

export function policyNetworkRule(
  kind: NetworkKind,
  network: JsonValue | undefined,
  policies: JsonObject,
): string | undefined {
  const { strategy } = objectIn(policies.swap_config);
  const name = kind === "solana" && typeof strategy === "string" ? MAINNET_ONLY[strategy] : undefined;
  return name === undefined || network === "mainnet-beta"
    ? undefined
    : `${name} strategy is only supported on mainnet-beta`;
}

type HasPolicies = Readonly<{ [member: string]: JsonValue | undefined }>;

export function relayerPolicies({ policies }: HasPolicies): JsonObject {
  return objectIn(policies);
}

/** Returns the relayer's gas price cap in wei; undefined without one. */
export function policyCap(relayer: HasPolicies): bigint | undefined {
  return wireAmount(relayerPolicies(relayer).gas_price_cap);
}

/** Returns the balance below which the service disables a relayer, in the smallest unit. */
export function policyLeastBalance(relayer: HasPolicies): bigint {
  const set = wireAmount(relayerPolicies(relayer).min_balance);
  return set ?? BigInt(policyDefaults(relayer.network_type).min_balance ?? 0n);
}
