import fc from "fast-check";
import { ROWS } from "../../helpers/relayer-rows.ts";
import type { Json } from "./merge-patched.ts";

/** Checks a value of a merge patch by its type; an object of such checks its members. */
export interface Fields {
  [key: string]: Fields | ((value: Json) => boolean);
}

const ADDRESS = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

const flag = (value: Json) => value === null || typeof value === "boolean";
const whole = (value: Json) => value === null || Number.isInteger(value);
const amount = (value: Json) =>
  value === null || (Number.isInteger(value) && Number(value) >= 0) || /^(?:\d+|0x[\da-f]+)$/i.test(textOf(value));
const number = (value: Json) => value === null || typeof value === "number";
const text = (value: Json) => value === null || typeof value === "string";
const list = (holds: (item: Json) => boolean) => (value: Json) =>
  value === null || (Array.isArray(value) && value.every(holds));
const account = (item: Json) => /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(textOf(item));

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function fieldOf(value: Json, name: string): Json | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value[name] : undefined;
}

/** A token is checked by its members' names and types, like everything else. */
function token(key: string, fields: Fields) {
  return (item: Json) =>
    typeof fieldOf(item, key) === "string" &&
    Object.entries(item as { [key: string]: Json }).every(([name, value]) => {
      const type = Object.hasOwn(fields, name) ? fields[name] : undefined;
      return typeof type === "function" && type(value);
    });
}

const TOP: Fields = Object.fromEntries(Object.entries(ROWS).map(([name, { isTyped }]) => [name, isTyped]));

const TYPES: Record<string, Fields> = {
  evm: {
    "": TOP,
    eip1559_pricing: flag,
    gas_limit_estimation: flag,
    gas_price_cap: amount,
    min_balance: amount,
    private_transactions: flag,
    include_revert_data: flag,
    whitelist_receivers: list((item) => /^0x[\da-f]{40}$/i.test(textOf(item))),
  },
  solana: {
    "": TOP,
    allowed_programs: list(account),
    allowed_accounts: list(account),
    disallowed_accounts: list(account),
    allowed_tokens: list(token("mint", { mint: account, decimals: whole, symbol: text, max_allowed_fee: whole })),
    max_signatures: whole,
    max_tx_data_size: whole,
    min_balance: amount,
    fee_payment_strategy: text,
    fee_margin_percentage: number,
    max_allowed_fee_lamports: amount,
    swap_config: {
      strategy: text,
      cron_schedule: text,
      min_balance_threshold: amount,
      jupiter_swap_options: {
        priority_fee_max_lamports: amount,
        priority_level: text,
        dynamic_compute_unit_limit: flag,
      },
    },
  },
  stellar: {
    "": TOP,
    fee_payment_strategy: text,
    min_balance: amount,
    max_fee: amount,
    timeout_seconds: whole,
    concurrent_transactions: flag,
    slippage_percentage: number,
    fee_margin_percentage: number,
    allowed_tokens: list(token("asset", { asset: text, max_allowed_fee: whole })),
    swap_config: {
      strategies: list((item) => ["order-book", "soroswap"].includes(textOf(item))),
      cron_schedule: text,
      min_balance_threshold: amount,
    },
  },
};

/** A relayer of each kind, with every guard that its kind has. */
export const SAMPLES: readonly { [key: string]: Json }[] = [
  {
    ...{ id: "a", name: "A", network: "mainnet", network_type: "evm", paused: false },
    policies: { gas_price_cap: 80_000_000_000, whitelist_receivers: [ADDRESS] },
  },
  {
    ...{ id: "b", name: "B", network: "mainnet-beta", network_type: "solana", paused: false },
    policies: { allowed_programs: [MINT], allowed_accounts: [MINT], allowed_tokens: [{ mint: MINT }] },
  },
  {
    ...{ id: "c", name: "C", network: "testnet", network_type: "stellar", paused: true },
    policies: { fee_payment_strategy: "user", allowed_tokens: [{ asset: "native" }] },
  },
];

/** The types of every policy of a sample's kind, and under the empty name the types of the relayer's fields. */
export function typesOf({ network_type }: { [key: string]: Json }): Fields {
  return TYPES[textOf(network_type)] ?? {};
}

const flags = fc.option(fc.boolean());
const amounts = fc.option(fc.oneof(fc.nat(), fc.bigInt({ min: 0n, max: 2n ** 128n }).map(String)));
const numbers = fc.option(fc.nat({ max: 255 }));
const some = (item: fc.Arbitrary<Json>) => fc.array(item, { minLength: 1, maxLength: 3 });
const addresses = fc.stringMatching(/^0x[\da-fA-F]{40}$/);
const accounts = fc.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
const strategies = fc.constantFrom("user", "relayer");

const POLICIES: Record<string, fc.Arbitrary<Json>> = {
  evm: fc.record(
    {
      ...{
        eip1559_pricing: flags,
        gas_limit_estimation: flags,
        private_transactions: flags,
        include_revert_data: flags,
      },
      ...{ gas_price_cap: amounts, min_balance: amounts, whitelist_receivers: some(addresses) },
    },
    { requiredKeys: [] },
  ),
  solana: fc.record(
    {
      ...{ allowed_programs: some(accounts), allowed_accounts: some(accounts), disallowed_accounts: some(accounts) },
      allowed_tokens: some(fc.record({ mint: accounts, decimals: numbers }) as fc.Arbitrary<Json>),
      ...{ max_signatures: numbers, min_balance: amounts, fee_payment_strategy: strategies },
      swap_config: fc.record({ strategy: fc.constantFrom("noop", null), min_balance_threshold: amounts }),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<Json>,
  stellar: fc.record(
    {
      ...{
        fee_payment_strategy: strategies,
        max_fee: amounts,
        timeout_seconds: numbers,
        concurrent_transactions: flags,
      },
      allowed_tokens: some(fc.constant({ asset: "native", max_allowed_fee: 5 })),
      swap_config: fc.record({ strategies: fc.constant(["soroswap"]), cron_schedule: fc.constant("0 0 * * * *") }),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<Json>,
};

/** A realistic change of a sample: some members, each with a value of its type. */
export function ordinaryPatch({ network_type }: { [key: string]: Json }): fc.Arbitrary<Json> {
  return fc.record(
    {
      ...Object.fromEntries(Object.entries(ROWS).map(([name, { ordinary }]) => [name, ordinary])),
      policies: POLICIES[textOf(network_type)] ?? fc.constant({}),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<Json>;
}
