import { editorDocument, readEditorDocument } from "../../../../src/commands/relayers/editor/edit-in-editor.ts";
import type { JsonObject } from "../../../../src/contract/json.ts";
import type { Relayer } from "../../../../src/contract/resources/relayer.ts";

const A = "0x52908400098527886E0F7030069857D2E4169EE7";
const B = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
const MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

const EVM: Relayer = {
  id: "r",
  name: "R",
  network: "mainnet",
  network_type: "evm",
  paused: false,
  notification_id: "hook",
  custom_rpc_urls: [{ url: "https://a.example/***", weight: 80 }, { url: "https://b.example" }],
  policies: { gas_price_cap: 80_000_000_000, whitelist_receivers: [A], of_a_later_version: 1 },
};
const SOLANA: Relayer = {
  ...EVM,
  network: "devnet",
  network_type: "solana",
  policies: { allowed_accounts: [MINT], swap_config: { strategy: "noop", cron_schedule: null, later: 1 } },
};
const STELLAR: Relayer = { ...EVM, network_type: "stellar", policies: { fee_payment_strategy: "relayer" } };

/** One replacement in the document of a relayer. */
type Change = readonly [from: string | RegExp, to: string];

function read(relayer: Relayer, ...changes: readonly Change[]) {
  const original = editorDocument(relayer, "prod", "ETH");
  const text = changes.reduce((changed, [from, to]) => {
    const next = changed.replace(from, to);
    if (next === changed) throw new Error(`${from} is not in:\n${changed}`);
    return next;
  }, original);
  return readEditorDocument(text, original, { relayer, symbol: "ETH", labels: [] });
}

test.each<[string, readonly Change[], JsonObject, Relayer?]>([
  ["a name", [['"R"', '"S"']], { name: "S" }],
  ["a pause", [['"paused": false', '"paused": true']], { paused: true }],
  ["null", [['"hook"', "null"]], { notification_id: null }],
  ["a removed field", [['"notification_id": "hook",', ""]], { notification_id: null }],
  ["a removed last field", [['"include_revert_data": null', ""]], {}],
  [
    "an amount as a number",
    [["80000000000,", "340282366920938463463374607431768211455,"]],
    { policies: { gas_price_cap: 2n ** 128n - 1n } },
  ],
  ["an amount with its unit", [["80000000000,", '"120gwei",']], { policies: { gas_price_cap: 120_000_000_000n } }],
  ["the same amount in another format", [["80000000000,", '"80gwei",']], {}],
  ["a small price with its unit", [["80000000000,", '"80wei",']], { policies: { gas_price_cap: 80n } }],
  ["a price of 0", [["80000000000,", "0,"]], { policies: { gas_price_cap: 0n } }],
  ["a list", [[`"${A}"`, `"${A}", "${B}"`]], { policies: { whitelist_receivers: [A, B] } }],
  ["an emptied list", [[`"${A}"`, ""]], { policies: { whitelist_receivers: [] } }],
  ["all policies", [[/"policies": \{[^}]*\}/, '"policies": null']], { policies: null }],
  ["no RPC URLs", [[/"custom_rpc_urls": \[[^\]]*\]/, '"custom_rpc_urls": null']], { custom_rpc_urls: null }],
  [
    "other RPC URLs",
    [[/"custom_rpc_urls": \[[^\]]*\]/, '"custom_rpc_urls": [{"url": "https://c.example/key", "weight": 5}]']],
    { custom_rpc_urls: [{ url: "https://c.example/key", weight: 5 }] },
  ],
  ["a field of an object", [['"noop"', "null"]], { policies: { swap_config: { strategy: null } } }, SOLANA],
  [
    "a removed object",
    [[/"swap_config": \{[\s\S]*?"dynamic[^}]*\}|"swap_config": \{[^}]*\}/, '"swap_config": null']],
    { policies: { swap_config: null } },
    SOLANA,
  ],
  [
    "an object that was not set",
    [
      ['"relayer"', '"user"'],
      ['"swap_config": null', '"swap_config": {"strategies": ["soroswap"], "min_balance_threshold": "2xlm"}'],
    ],
    {
      policies: {
        fee_payment_strategy: "user",
        swap_config: { strategies: ["soroswap"], min_balance_threshold: 20_000_000n },
      },
    },
    STELLAR,
  ],
  [
    "comments and other line endings",
    [
      ["{\n", "{ /* a */\r\n"],
      ['"R",', '"R", // b'],
    ],
    {},
  ],
])("returns the smallest patch for %s", (_, changes, patch, relayer = EVM) => {
  expect(read(relayer, ...changes)).toEqual({ value: patch });
});

describe("a low price without its unit", () => {
  const rule = "has no unit: did you mean 120gwei? (120wei if you do mean wei)";

  test.each(["120", '"120"', '"0x78"'])("is rejected: %s", (typed) => {
    expect(read(EVM, ["80000000000,", `${typed},`])).toMatchObject({
      problems: [{ where: "policies.gas_price_cap", rule }],
    });
  });

  test("is kept if it was there before, in any format", () => {
    const small = { ...EVM, policies: { ...(EVM.policies as JsonObject), gas_price_cap: 120 } };
    expect(read(small, ['"R"', '"S"'])).toEqual({ value: { name: "S" } });
    expect(read(small, ['"gas_price_cap": 120,', '"gas_price_cap": "0x78",'])).toEqual({ value: {} });
  });
});

describe("reports a broken rule with its position:", () => {
  const problemsOf = (relayer: Relayer, ...changes: readonly Change[]) => {
    const reading = read(relayer, ...changes);
    if ("value" in reading) throw new Error("the text was read");
    return reading.problems.map(({ where, given, rule }) => [where, given ?? "", rule].join("|"));
  };

  test.each<[string, readonly Change[], string[], Relayer?]>([
    ["no name", [['"R"', "null"]], ["name||cannot be cleared"]],
    ["an empty name", [['"R"', '""']], ["name|(empty)|Name cannot be empty"]],
    ["a removed flag", [['"paused": false,', ""]], ["paused|null|true or false"]],
    [
      "an ID that cannot be used in a path",
      [['"hook"', '"a/b"']],
      ["notification_id|a/b|contains a slash or a control character"],
    ],
    [
      "a masked URL in a changed list",
      [['"weight": 80', '"weight": 70']],
      [
        "custom_rpc_urls.0.url|https://a.example/***|is masked by the service; writing it back would cut the relayer off",
      ],
    ],
    [
      "a URL, with its path masked",
      [[/"custom_rpc_urls": \[[^\]]*\]/, '"custom_rpc_urls": [{"url": "ftp://c.example/KEY"}]']],
      ["custom_rpc_urls.0.url|ftp://c.example/***|Invalid URL scheme 'ftp': only http and https are allowed"],
    ],
    [
      "a mistyped address",
      [[`"${A}"`, `"${A}", "${B.slice(0, -1)}"`]],
      [expect.stringMatching(/^policies\.whitelist_receivers\.1\|0x.*\|an address has 40 hex digits, this one has 39/)],
    ],
    [
      "a duplicate address",
      [[`"${A}"`, `"${A}", "${B}", "${B.toLowerCase()}"`]],
      [expect.stringMatching(/^policies\.whitelist_receivers\.2\|0x.*\|0x\w+ is already in the list/)],
    ],
    [
      "a misspelled field",
      [['"gas_price_cap"', '"gas_price_cup"']],
      [
        "policies.gas_price_cup||unknown field (did you mean gas_price_cap?); known: eip1559_pricing, gas_limit_estimation, gas_price_cap, min_balance, private_transactions, whitelist_receivers, include_revert_data",
      ],
    ],
    [
      "a read-only field",
      [['"name"', '"address": "0x1", "name"']],
      [expect.stringMatching(/^address\|\|unknown field; known: name, paused, .*policies/)],
    ],
    [
      "both lists of accounts",
      [['"disallowed_accounts": null', `"disallowed_accounts": ["${MINT}"]`]],
      ["policies.disallowed_accounts||allowed_accounts and disallowed_accounts cannot be both present"],
      SOLANA,
    ],
    [
      "a strategy of another network",
      [['"noop"', '"jupiter-swap"']],
      ["policies.swap_config.strategy||JupiterSwap strategy is only supported on mainnet-beta"],
      SOLANA,
    ],
    [
      "options without their strategy",
      [
        ['"jupiter_swap_options": null', '"jupiter_swap_options": {"priority_level": "high"}'],
        ['"noop"', "null"],
      ],
      ["policies.swap_config.strategy||JupiterSwap options are only valid for JupiterSwap strategy"],
      SOLANA,
    ],
    [
      "several problems",
      [
        ['"R"', "5"],
        ['"eip1559_pricing": null', '"eip1559_pricing": "yes"'],
      ],
      [expect.stringMatching(/^name\|5\|/), "policies.eip1559_pricing|yes|true or false"],
    ],
  ])("%s", (_, changes, expected, relayer = EVM) => expect(problemsOf(relayer, ...changes)).toEqual(expected));

  test.each<[string, Change, string, string]>([
    ["the position of a field", ['"R"', "5"], "name", '"name"'],
    ["the position of a list entry", [`"${A}"`, `"${A}",\n "0x12"`], "policies.whitelist_receivers.1", '"0x12"'],
    ["the position of the whole for a removed field", ['"paused": false,', ""], "paused", "{"],
    ["the position of a syntax error", ['"hook",', '"hook"'], "", '"custom_rpc_urls"'],
  ])("%s", (_, [from, to], where, at) => {
    const lines = editorDocument(EVM, "prod", "ETH").replace(from, to).split("\n");
    const index = lines.findIndex((text) => text.trimStart().startsWith(at));
    const place = { line: index + 1, column: (lines[index]?.indexOf(at) ?? 0) + 1 };
    expect(read(EVM, [from, to])).toMatchObject({ problems: [{ where, place }] });
  });

  test("a text that is not a JSON object", () => {
    const problems = [{ where: "", rule: "is not a JSON object" }];
    expect(readEditorDocument("[]", "{}", { relayer: EVM, symbol: "ETH", labels: [] })).toMatchObject({ problems });
  });
});

test("an unchanged invalid value does not block other changes", () => {
  const broken = {
    ...SOLANA,
    policies: { allowed_accounts: [MINT], disallowed_accounts: [MINT], max_signatures: 999 },
  };
  expect(read(broken, ['"R"', '"S"'])).toEqual({ value: { name: "S" } });
});

test("fields of a later version are kept, also within objects", () => {
  expect(read(EVM, [`"${A}"`, ""])).toEqual({ value: { policies: { whitelist_receivers: [] } } });
  expect(read(SOLANA, ['"cron_schedule": null', '"cron_schedule": "@daily"'])).toEqual({
    value: { policies: { swap_config: { cron_schedule: "@daily" } } },
  });
});
