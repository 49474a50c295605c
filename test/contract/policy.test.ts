import { isJsonObject, type JsonObject, parseJson } from "../../src/contract/json.ts";
import type { NetworkKind } from "../../src/contract/network-kind.ts";
import {
  missingPolicies,
  policyDefaults,
  policyFieldAt,
  policyFieldPaths,
  policyFields,
  policyNetworkRule,
} from "../../src/contract/policy.ts";
import { policySchemas } from "../../src/contract/requests.ts";
import { type Recorded, section } from "../helpers/service/recorded.ts";
import { issuesOf } from "./issues.ts";

/** Recorded refusals that depend on the relayer's earlier values or on its network. */
const NEEDS_THE_RELAYER = [
  "patch solana both accounts",
  "patch solana swap",
  "sol-1 allowed beside disallowed",
  "sol-1 swap ultra",
  "sol-1 swap options level",
];

/** The recorded refusals that relayctl detects before sending, with the rule that it prints. */
const RULES: Record<string, RegExp> = {
  "patch cap string 2^128":
    /^gas_price_cap: a whole number of wei from 0 to 340282366920938463463374607431768211455, without quotes$/,
  "patch cap negative": /^gas_price_cap: a whole number of wei from 0 to/,
  "patch unknown policy": /unknown nope$/,
  "patch solana policy on evm": /unknown max_signatures$/,
  "patch stellar slippage": /^slippage_percentage: Slippage percentage must be between 0 and 100$/,
  "xlm-1 strategy null": /^fee_payment_strategy: Fee payment strategy is required$/,
  "xlm-1 strategy words": /^fee_payment_strategy: one of user, relayer$/,
  "xlm-1 min_balance string": /^min_balance: a whole number of stroop/,
  "xlm-1 max_fee 2^32": /^max_fee: a whole number of stroop from 0 to 4294967295$/,
  "xlm-1 slippage -1": /^slippage_percentage: Slippage percentage must be between 0 and 100$/,
  "xlm-1 fee margin -1": /^fee_margin_percentage: Negative fee margin percentage values are not accepted$/,
  "xlm-1 allowed_tokens bad":
    /^allowed_tokens\.0\.asset: Asset identifier must be 'native', 'XLM', 'CODE:ISSUER', or a contract address$/,
  "xlm-1 allowed_tokens bad issuer": /^allowed_tokens\.0\.asset: Issuer address must be 56 characters long$/,
  "xlm-1 swap no strategies": /^swap_config\.strategies: Swap config must include at least one strategy$/,
  "xlm-1 swap bad strategy": /^swap_config\.strategies\.0: order-book or soroswap$/,
  "xlm-1 swap bad cron": /^swap_config\.cron_schedule: Invalid cron schedule format: 6 or 7 cron fields/,
  "xlm-1 unknown": /unknown nope$/,
  "sol-1 min_balance": /^min_balance: a whole number of lamport from 0 to 18446744073709551615$/,
  "sol-1 max_signatures 256": /^max_signatures: a whole number from 0 to 255$/,
  "sol-1 max_tx_data_size 65536": /^max_tx_data_size: a whole number from 0 to 65535$/,
  "sol-1 fee margin -1": /^fee_margin_percentage: Negative fee margin percentage values are not accepted$/,
  "sol-1 allowed_programs bad": /^allowed_programs\.0: Public key must be a valid Solana address$/,
  "sol-1 allowed_tokens bad mint": /^allowed_tokens\.0\.mint: Public key must be a valid Solana address$/,
  "sol-1 swap empty cron": /^swap_config\.cron_schedule: Empty cron schedule is not accepted$/,
  "sol-1 swap options": /priority_fee_max_lamports: Max lamports must be greater than 0/,
  "sol-1 unknown": /unknown nope$/,
  "evm-1 cap hex string": /^gas_price_cap: a whole number of wei/,
  "evm-1 cap underscore": /^gas_price_cap: a whole number of wei/,
  "evm-1 cap empty string": /^gas_price_cap: a whole number of wei/,
  "evm-1 cap 1.5": /^gas_price_cap: a whole number of wei/,
  "evm-1 cap string 1e9": /^gas_price_cap: a whole number of wei/,
};

/** Accepted by the service in a spelling that is not the interface's: the client makes this one itself, after a 400. */
const OTHER_SPELLING = ["patch cap string 2^128-1", "patch min_balance string 2^64"];

/** The service only refuses the spelling. The interface has the integer, and the client respells it. */
const INTEGER_OF_THE_INTERFACE = ["patch cap int 2^64", "patch cap int 2^128-1"];

const KINDS: Record<string, NetworkKind> = { "evm-1": "evm", "sol-1": "solana", "xlm-1": "stellar" };

interface Patch {
  name: string;
  kind: NetworkKind;
  policies: JsonObject;
  accepted: boolean;
}

function patchOf({ name, request, response }: Recorded): Patch[] {
  const kind = request.method === "PATCH" ? KINDS[request.path.split("/").at(-1) ?? ""] : undefined;
  const body = request.body?.includes("policies") ? parseJson(request.body) : null;
  const policies = isJsonObject(body) ? body.policies : null;
  return kind && isJsonObject(policies) ? [{ name, kind, policies, accepted: response.status === 200 }] : [];
}

const patches = [...section("relayers"), ...section("policies")].flatMap(patchOf);
const accepted = patches.filter((patch) => patch.accepted !== INTEGER_OF_THE_INTERFACE.includes(patch.name));
const refused = patches.filter((patch) => !accepted.includes(patch));

test("there are enough recorded patches of policies", () =>
  expect([accepted.length, refused.length]).toEqual([52, Object.keys(RULES).length + NEEDS_THE_RELAYER.length]));

describe("a policy that the service accepted is valid", () => {
  test.each(accepted.filter(({ name }) => !OTHER_SPELLING.includes(name)))("$name", ({ kind, policies }) => {
    expect(issuesOf(policySchemas[kind], policies)).toEqual([]);
  });

  test.each(accepted.filter(({ name }) => OTHER_SPELLING.includes(name)))("except $name", ({ kind, policies }) => {
    expect(issuesOf(policySchemas[kind], policies)).toHaveLength(1);
  });
});

test.each(refused.filter(({ name }) => !NEEDS_THE_RELAYER.includes(name)))(
  "a policy that the service refused is invalid: $name",
  ({ name, kind, policies }) => {
    const issues = issuesOf(policySchemas[kind], policies);
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatch(RULES[name] ?? /no rule is given in the table/);
  },
);

describe("rules across fields that a patch alone can break", () => {
  test.each<[NetworkKind, string, string]>([
    [
      "solana",
      '{"allowed_accounts":[],"disallowed_accounts":[]}',
      "disallowed_accounts: allowed_accounts and disallowed_accounts cannot be both present",
    ],
    [
      "solana",
      '{"fee_payment_strategy":"relayer","swap_config":{}}',
      "swap_config: Swap config only supported for user fee payment strategy",
    ],
    [
      "stellar",
      '{"fee_payment_strategy":"relayer","swap_config":{}}',
      "swap_config: Swap config only supported for user fee payment strategy",
    ],
    [
      "solana",
      '{"swap_config":{"strategy":"noop","jupiter_swap_options":{}}}',
      "swap_config.jupiter_swap_options: JupiterSwap options are only valid for JupiterSwap strategy",
    ],
  ])("%s %s", (kind, body, issue) => expect(issuesOf(policySchemas[kind], body)).toEqual([issue]));

  test.each<[NetworkKind, string]>([
    ["solana", '{"allowed_accounts":["So11111111111111111111111111111111111111112"],"disallowed_accounts":null}'],
    ["solana", '{"fee_payment_strategy":"relayer","swap_config":null}'],
    [
      "solana",
      '{"swap_config":{"strategy":"jupiter-swap","jupiter_swap_options":{"dynamic_compute_unit_limit":true}}}',
    ],
    ["solana", '{"swap_config":{"strategy":"noop","jupiter_swap_options":null}}'],
    ["stellar", '{"swap_config":{"strategies":["soroswap"],"cron_schedule":"@daily"}}'],
    ["stellar", '{"slippage_percentage":1.50,"fee_margin_percentage":0.10}'],
  ])("a valid combination is accepted: %s %s", (kind, body) => expect(issuesOf(policySchemas[kind], body)).toEqual([]));
});

describe("the fields of the EVM policy", () => {
  test("are all known, with null to clear them", () => {
    const names = [
      "eip1559_pricing",
      "gas_limit_estimation",
      "gas_price_cap",
      "min_balance",
      "private_transactions",
      "whitelist_receivers",
    ];
    expect(names.filter((name) => !policyFieldPaths(policyFields.evm).includes(name))).toEqual([]);
    expect(issuesOf(policySchemas.evm, Object.fromEntries(names.map((name) => [name, null])))).toEqual([]);
  });

  test.each(["gas_price_cap", "min_balance"])("%s is from 0 to 2^128 - 1", (name) => {
    expect(issuesOf(policySchemas.evm, `{"${name}":0}`)).toEqual([]);
    expect(issuesOf(policySchemas.evm, `{"${name}":${2n ** 128n - 1n}}`)).toEqual([]);
    expect(issuesOf(policySchemas.evm, `{"${name}":${2n ** 128n}}`)).toHaveLength(1);
    expect(issuesOf(policySchemas.evm, `{"${name}":-1}`)).toHaveLength(1);
    expect(issuesOf(policySchemas.evm, `{"${name}":1e3}`)).toHaveLength(1);
  });

  test.each(["eip1559_pricing", "gas_limit_estimation", "private_transactions"])("%s is true or false", (name) => {
    expect(issuesOf(policySchemas.evm, `{"${name}":"true"}`)).toEqual([`${name}: true or false`]);
  });
});

test("a field by its path may be nested in objects, and nowhere else", () => {
  expect(policyFieldAt(policyFields.solana, "swap_config.jupiter_swap_options.priority_level")).toMatchObject({
    type: "word",
  });
  expect(policyFieldAt(policyFields.solana, "swap_config.nope")).toBeUndefined();
  expect(policyFieldAt(policyFields.evm, "gas_price_cap.x")).toBeUndefined();
  expect(policyFieldAt(policyFields.evm, "constructor")).toBeUndefined();
});

test("the defaults are those of the service", () => {
  expect(policyDefaults("evm")).toEqual({
    eip1559_pricing: true,
    gas_limit_estimation: true,
    min_balance: 1n,
    private_transactions: false,
    include_revert_data: false,
  });
  expect(policyDefaults("solana")).toEqual({ max_tx_data_size: 1232n, min_balance: 10_000_000n });
  expect(policyDefaults("stellar")).toEqual({ min_balance: 1_000_000n });
  expect(policyDefaults("tron")).toEqual({});
});

describe("the missing fields of a policy", () => {
  const options = (fields: object) => ({ swap_config: { strategy: "jupiter-swap", jupiter_swap_options: fields } });
  const at = "swap_config.jupiter_swap_options";

  test.each([
    ["evm", {}, []],
    ["evm", null, []],
    ["solana", {}, []],
    ["solana", { swap_config: null }, []],
    ["solana", options({ priority_level: "high", priority_fee_max_lamports: 1 }), []],
    ["solana", options({ priority_level: null, priority_fee_max_lamports: null }), []],
    ["solana", options({ priority_level: "high" }), [`${at}.priority_fee_max_lamports`]],
    ["solana", options({ priority_fee_max_lamports: 1 }), [`${at}.priority_level`]],
    ["solana", { swap_config: { jupiter_swap_options: {} } }, ["swap_config.strategy"]],
    ["stellar", { fee_payment_strategy: "user" }, []],
    ["stellar", { fee_payment_strategy: null }, ["fee_payment_strategy"]],
    ["stellar", { fee_payment_strategy: "user", swap_config: { strategies: ["soroswap"] } }, []],
    ["stellar", { fee_payment_strategy: "user", swap_config: { strategies: [] } }, ["swap_config.strategies"]],
    ["stellar", { fee_payment_strategy: "user", swap_config: {} }, ["swap_config.strategies"]],
  ] as const)("%s %j: %j", (kind, policies, paths) => {
    expect(missingPolicies(kind, policies as never).map(({ path }) => path)).toEqual(paths);
  });

  test("have the service's messages", () =>
    expect(missingPolicies("stellar", { swap_config: {} }).map(({ rule }) => rule)).toEqual([
      "Fee payment strategy is required",
      "Swap config must include at least one strategy",
    ]));
});

const swap = (strategy: string | null) => ({ swap_config: { strategy } });

test.each([
  ["jupiter-swap", "JupiterSwap strategy is only supported on mainnet-beta"],
  ["jupiter-ultra", "JupiterUltra strategy is only supported on mainnet-beta"],
  ["noop", undefined],
  [null, undefined],
])("a swap strategy %s outside mainnet-beta: %s", (strategy, rule) => {
  expect(policyNetworkRule("solana", "devnet", swap(strategy))).toBe(rule);
  expect(policyNetworkRule("solana", "mainnet-beta", swap(strategy))).toBeUndefined();
  expect(policyNetworkRule("stellar", "testnet", swap(strategy))).toBeUndefined();
});
