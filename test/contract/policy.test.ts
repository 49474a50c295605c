import { isJsonObject, type JsonObject, type JsonValue, NumberLiteral, parseJson } from "../../src/contract/json.ts";
import type { NetworkKind } from "../../src/contract/network-kind.ts";
import { capIn, capLeaps, capRisks } from "../../src/contract/policy/cap-change.ts";
import { cronProblem } from "../../src/contract/policy/cron.ts";
import {
  policyDefaults,
  policyFieldAt,
  policyFieldPaths,
  policyFields,
  policyGaps,
  policyNetworkRule,
} from "../../src/contract/policy.ts";
import { relayerRules } from "../../src/contract/relayer-rules.ts";
import { policySchemas } from "../../src/contract/requests.ts";
import { solanaFeePayer } from "../../src/contract/transaction/solana-transaction.ts";
import { type Recorded, section } from "../helpers/service/recorded.ts";
import { issuesOf } from "./issues.ts";
import { serializedTransaction } from "./solana-transaction.ts";

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
    expect(policyGaps(kind, policies as never).map(({ path }) => path)).toEqual(paths);
  });

  test("have the service's messages", () =>
    expect(policyGaps("stellar", { swap_config: {} }).map(({ rule }) => rule)).toEqual([
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

const GWEI = 10n ** 9n;
const capped = (gas_price_cap: JsonValue) => ({ policies: { gas_price_cap } });

describe("a gas price cap changes a thousandfold", () => {
  test.each<[JsonValue, JsonValue]>([
    [80n * GWEI, 80],
    [80n * GWEI, 80_000_000],
    [80_000_000, 80n * GWEI],
    ["80000000000", "0x50"],
    [2n ** 128n - 1n, GWEI],
    [80n * GWEI, 0],
    [0, 1],
  ])("from %s to %s", (was, now) => {
    expect(capLeaps(was, now)).toBe(true);
    expect(capRisks(capped(now), capped(was))).toHaveLength(1);
  });

  test.each<[JsonValue | undefined, JsonValue | undefined]>([
    [80n * GWEI, 80_000_001],
    [80_000_001, 80n * GWEI],
    [80n * GWEI, 120n * GWEI],
    [80n * GWEI, "80000000000"],
    [0, 0],
    [undefined, 5],
    [null, 5],
    [5, null],
    [5, undefined],
  ])("but not from %s to %s", (was, now) => expect(capLeaps(was, now)).toBe(false));
});

describe("a patch must be agreed to", () => {
  test.each<[string, JsonValue | undefined, JsonValue | undefined, string[]]>([
    [
      "a fall",
      capped(80),
      capped(80n * GWEI),
      ["gas_price_cap falls to a thousandth or less: 80 gwei → 0.00000008 gwei"],
    ],
    [
      "a rise",
      capped(5n * 10n ** 12n),
      capped(GWEI),
      ["gas_price_cap rises a thousandfold or more: 1 gwei → 5000 gwei"],
    ],
    [
      "an unknown live value",
      capped(80),
      undefined,
      ["the live gas_price_cap could not be read, to compare it with 0.00000008 gwei"],
    ],
    [
      "an invalid value",
      capped(new NumberLiteral("8e1")),
      capped(80n * GWEI),
      ["gas_price_cap can't be compared with the live value: 80 gwei → a value that is not an amount"],
    ],
    [
      "an invalid live value",
      capped(80),
      capped("much"),
      ["gas_price_cap can't be compared with the live value: a value that is not an amount → 0.00000008 gwei"],
    ],
  ])("for %s", (_, patch, before, words) => expect(capRisks(patch, before)).toEqual(words));

  test.each<[string, JsonValue | undefined, JsonValue | undefined]>([
    ["a cap that was not set", capped(80), { policies: {} }],
    ["a relayer without policies", capped(80), { policies: null }],
    ["a cleared cap", capped(null), capped(80n * GWEI)],
    ["another policy", { policies: { min_balance: 5 } }, undefined],
    ["no policy", { paused: true }, undefined],
    ["policies of another type", { policies: "all" }, undefined],
    ["a list", [], undefined],
    ["nothing", undefined, undefined],
  ])("but not for %s", (_, patch, before) => expect(capRisks(patch, before)).toEqual([]));

  test("a cap of 0 counts as a cap", () => expect(capIn(capped(0))).toBe(0));
});

test.each([
  "0 0 * * * *",
  "*/15 0-30/5 1,13 ? JAN-MAR Mon,fri",
  "0 0 0 1 1 * 2030",
  "0  0 12 * * 1-5",
  "5/10 * * * * *",
  "@daily",
  " @daily ",
  "0 0 0 * * mon , Wed-fri",
  "0 0 1 - 5 * * * ",
  "0 0 */ 2 ? * ?/2",
  "0 0 0 * January-sep Tues,thurs,SUNDAY-SATURDAY/2",
])("%s is valid", (text) => expect(cronProblem(text)).toBeUndefined());

test.each(["", " "])("%j is empty", (text) => expect(cronProblem(text)).toBe("Empty cron schedule is not accepted"));

test.each([
  "often",
  "@soon",
  "* * * * *",
  "* * * * * * 2030 *",
  "60 * * * * *",
  "* * 24 * * *",
  "* * * 0 * *",
  "* * * * 13 *",
  "* * * * * 0",
  "* * * * * 8",
  "* * * * * * 1969",
  "30-10 * * * * *",
  "*/0 * * * * *",
  "MON * * * * *",
  "? * * * * *",
  "* * * * ? *",
  "* * * * FOO *",
  "* * * * Ju *",
  "* * * * MON *",
  "* * * * * Tue/2",
  "* * * * * FRI-MON",
  "* * * * DEC-JAN *",
  "1,, * * * * *",
  "-1 * * * * *",
])("%s is invalid", (text) => {
  expect(cronProblem(text)).toBe("Invalid cron schedule format: 6 or 7 cron fields, seconds first, e.g. 0 0 * * * *");
});

describe("the rules of an EVM relayer", () => {
  const OWN = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
  const LISTED = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
  const OTHER = "0x1111111111111111111111111111111111111111";

  const broken = (body: JsonObject, policies?: JsonObject) =>
    relayerRules
      .evm(body, { id: "r", address: OWN, ...(policies && { policies }) })
      .map(({ path, rule }) => `${path}: ${rule}`);

  describe("whitelist_receivers", () => {
    const refused = ["to: Transaction target address is not whitelisted"];

    test("if unset, every receiver is allowed", () => {
      expect(broken({ to: OTHER })).toEqual([]);
      expect(broken({ to: OTHER }, { whitelist_receivers: null })).toEqual([]);
      expect(broken({}, {})).toEqual([]);
    });

    test.each([LISTED.toLowerCase(), OWN.toUpperCase().replace("X", "x"), `0x${"0".repeat(40)}`])(
      "%s is allowed",
      (to) => expect(broken({ to }, { whitelist_receivers: [LISTED] })).toEqual([]),
    );

    test("other receivers and new contracts are not allowed", () => {
      expect(broken({ to: OTHER }, { whitelist_receivers: [LISTED] })).toEqual(refused);
      expect(broken({ to: LISTED }, { whitelist_receivers: [] })).toEqual(refused);
      expect(broken({ data: "0x60" }, { whitelist_receivers: [LISTED] })).toEqual(refused);
    });
  });

  test("an error lists what is allowed: the first receivers, and the cap", () => {
    const list = [LISTED, OTHER, LISTED, OTHER, OTHER];
    const policies = { whitelist_receivers: list, gas_price_cap: "80000000000" };
    const body = { to: `0x${"2".repeat(40)}`, gas_price: 80_000_000_001 };
    expect(relayerRules.evm(body, { id: "r", address: OWN, policies }).map(({ allowed }) => allowed)).toEqual([
      `allowed: the relayer itself, the zero address, ${LISTED}, ${OTHER}, ${LISTED}, 2 more`,
      "the relayer's cap is 80 gwei",
    ]);
  });

  describe("the other policies", () => {
    test("a gas limit is required without estimation", () => {
      const policies = { gas_limit_estimation: false };
      expect(broken({ to: OTHER, gas_limit: 21_000 }, policies)).toEqual([]);
      expect(broken({ to: OTHER, gas_limit: null }, policies)).toEqual([
        "gas_limit: gas_limit is required when gas_limit_estimation policy is disabled",
      ]);
    });

    test.each([5, 2n + 3n, "5"])(
      "a gas price above the cap of %s is rejected, but not one at the cap",
      (gas_price_cap) => {
        expect(broken({ gas_price: 5 }, { gas_price_cap })).toEqual([]);
        expect(broken({ gas_price: 6 }, { gas_price_cap })).toEqual(["gas_price: Gas price is too high"]);
        expect(broken({ max_fee_per_gas: 6 }, { gas_price_cap })).toEqual([]);
      },
    );
  });
});

describe("the rules of a Solana relayer", () => {
  const OWN = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
  const OTHER = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";

  const broken = (body: JsonObject, policies: JsonObject = { fee_payment_strategy: "relayer" }) =>
    relayerRules.solana(body, { id: "r", address: OWN, policies }).map(({ path, rule }) => `${path}: ${rule}`);

  describe("the fee payer", () => {
    test.each([false, true])("is the first account of the message (with a version: %s)", (versioned) => {
      expect(solanaFeePayer(serializedTransaction({ payer: OTHER, versioned }))).toBe(OTHER);
    });

    test.each(["", "AQAB", "AAAA", serializedTransaction({ payer: OTHER }).slice(0, 120)])(
      "is missing in %j",
      (text) => {
        expect(solanaFeePayer(text)).toBeUndefined();
      },
    );

    test("must be the relayer", () => {
      expect(broken({ transaction: serializedTransaction({ payer: OWN }) })).toEqual([]);
      expect(broken({ transaction: serializedTransaction({ payer: OTHER }) })).toEqual([
        `transaction: Transaction fee payer ${OTHER} does not match relayer address ${OWN}`,
      ]);
    });
  });

  describe("the signers", () => {
    const instructions = (pubkey: string, is_signer: boolean) => [
      { program_id: OTHER, accounts: [{ pubkey, is_signer, is_writable: true }], data: "" },
    ];

    test("may only be the relayer", () => {
      expect(broken({ instructions: instructions(OWN, true) })).toEqual([]);
      expect(broken({ instructions: instructions(OTHER, false) })).toEqual([]);
      expect(broken({ instructions: instructions(OTHER, true) })).toEqual([
        `instructions.0.accounts.0: Only the relayer address ${OWN} can be marked as a signer, but '${OTHER}' is marked as a signer. The relayer can only provide its own signature.`,
      ]);
    });

    test("rule out instructions if users pay", () => {
      const body = { instructions: instructions(OWN, true) };
      expect(broken(body, { fee_payment_strategy: "relayer" })).toEqual([]);
      for (const unset of [{ fee_payment_strategy: "user" }, { fee_payment_strategy: null }, {}])
        expect(broken(body, unset)).toHaveLength(1);
    });
  });

  test("no rule is checked if the relayer's address is unknown", () =>
    expect(relayerRules.solana({ transaction: serializedTransaction({ payer: OTHER }) }, { id: "r" })).toEqual([]));
});
