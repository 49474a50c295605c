import { changesOf, changeTextLines } from "../../../../src/commands/relayers/change/change-text.ts";
import { undoOfRelayer } from "../../../../src/commands/relayers/change/undo.ts";
import type { JsonObject, JsonValue } from "../../../../src/contract/json.ts";
import { messageText } from "../../../../src/message.ts";

const A = "0x52908400098527886E0F7030069857D2E4169EE7";
const B = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";

function lines(body: JsonObject, before: JsonObject = {}, kind = "evm"): string[] {
  const relayer = { id: "r", network_type: kind, ...before };
  return changeTextLines(changesOf(body, relayer), { relayer, symbol: "ETH", known: true }).map(messageText);
}

test.each<[string, JsonObject, JsonObject, string[]]>([
  ["an amount has its unit", { gas_price_cap: 80_000_000_000n }, {}, ["  gas_price_cap  not set → 80 gwei"]],
  [
    "an amount beyond 2^64 keeps its digits",
    { min_balance: 2n ** 127n + 1n },
    {},
    ["  min_balance  not set → 170141183460469231731.687303715884105729 ETH"],
  ],
  [
    "a cleared policy shows what then applies",
    { gas_price_cap: null, min_balance: null, private_transactions: null },
    { gas_price_cap: 1, min_balance: 5, private_transactions: true },
    [
      "  gas_price_cap         0.000000001 gwei → not set (no cap applies)",
      "  min_balance           0.000000000000000005 ETH → not set (default: 1 wei)",
      "  private_transactions  yes → not set (default: no)",
    ],
  ],
  [
    "a list shows removed and added entries",
    { whitelist_receivers: [B] },
    { whitelist_receivers: [A] },
    ["  whitelist_receivers  1 entry → 1 entry", `                       - ${A}`, `                       + ${B}`],
  ],
  [
    "a list in another order is reported as such",
    { whitelist_receivers: [B, A] },
    { whitelist_receivers: [A, B] },
    ["  whitelist_receivers  2 entries → 2 entries", "                       in another order"],
  ],
  [
    "an empty list differs from an unset list",
    { whitelist_receivers: [] },
    {},
    ["  whitelist_receivers  not set → none"],
  ],
])("%s", (_, asked, was, expected) => expect(lines({ policies: asked }, { policies: was })).toEqual(expected));

test("shows lamports or stroops by the relayer's network type", () => {
  expect(lines({ policies: { min_balance: 5_000_000n } }, {}, "solana")).toEqual([
    "  min_balance  not set → 0.005 SOL",
  ]);
  expect(lines({ policies: { min_balance: 5_000_000n } }, {}, "stellar")).toEqual(["  min_balance  not set → 0.5 XLM"]);
});

test("shows RPC URLs only up to their host, and all of them, since unchanged ones cannot be recognized", () => {
  const was = [{ url: "https://a.example/***", weight: 80 }];
  const asked = [{ url: "https://user:pw@a.example/v2/KEY?x=1" }];
  expect(lines({ custom_rpc_urls: asked }, { custom_rpc_urls: was })).toEqual([
    "  custom_rpc_urls  1 custom → 1 custom",
    "                   - https://a.example/*** weight 80",
    "                   + https://a.example/***",
  ]);
  expect(lines({ custom_rpc_urls: null }, { custom_rpc_urls: was })[0]).toBe(
    "  custom_rpc_urls  1 custom → the network's own",
  );
});

test("escapes text for the terminal before it measures columns", () =>
  expect(lines({ name: "x", notification_id: "n" }, { name: "\u001b[31m" })).toEqual([
    "  name             \\u{1b}[31m → x",
    "  notification_id  not set → n",
  ]));

describe("the changes of a reset", () => {
  test("are the policies with a value", () => {
    const policies = { min_balance: 1, gas_limit_estimation: true, gas_price_cap: 5, whitelist_receivers: null };
    expect(changesOf({ policies: null }, { id: "r", network_type: "evm", policies })).toEqual([
      { path: "policies.min_balance", requested: null, was: 1 },
      { path: "policies.gas_limit_estimation", requested: null, was: true },
      { path: "policies.gas_price_cap", requested: null, was: 5 },
    ]);
  });

  test("are a single change if the relayer was not read", () =>
    expect(changesOf({ policies: null }, undefined)).toEqual([{ path: "policies", requested: null, was: undefined }]));
});

function undo(path: string, was: JsonValue | undefined, kind = "evm") {
  return undoOfRelayer([{ path, requested: "x", was }], { id: "r", network_type: kind });
}

describe("RPC URLs are restored if they are known completely", () => {
  test.each<[JsonValue | undefined, readonly string[]]>([
    [undefined, ["--no-rpc-urls"]],
    [[{ url: "https://a.example", weight: 20 }], ["--rpc-url", "https://a.example,weight=20"]],
    [[{ url: "https://a.example/" }], ["--rpc-url", "https://a.example/"]],
  ])("%j", (was, flags) => expect(undo("custom_rpc_urls", was)).toEqual({ flags }));

  test.each([
    ["https://a.example/***"],
    ["https://a.example?***"],
    ["https://a.example/v2/KEY"],
    ["https://user:pw@a.example"],
    ["***"],
  ])("but not if they are masked or contain a secret: %s", (url) => {
    const undone = undo("custom_rpc_urls", [{ url: "https://b.example" }, { url }]);
    expect(undone).toEqual({ because: "the service masks the previous custom_rpc_urls" });
  });
});

test.each<[string, JsonValue | undefined, string, string]>([
  [
    "policies.fee_payment_strategy",
    undefined,
    "stellar",
    "fee_payment_strategy was unset: Fee payment strategy is required",
  ],
  [
    "policies.swap_config.cron_schedule",
    "* * *",
    "solana",
    "swap_config.cron_schedule was * * *: Invalid cron schedule format",
  ],
  ["policies.swap_config.cron_schedule", "", "solana", "swap_config.cron_schedule was empty, which is not allowed"],
  ["name", undefined, "evm", "name was empty, which is not allowed"],
  ["name", "", "evm", "name was empty, which is not allowed"],
])("a value that the service has but does not accept cannot be undone %s was %j", (path, was, kind, because) => {
  expect(undo(path, was, kind)).toEqual({ because: expect.stringContaining(because) });
});

test("one change without undo leaves no partial command", () => {
  const changes = [
    { path: "paused", requested: true, was: false },
    { path: "custom_rpc_urls", requested: null, was: [{ url: "https://a.example/***" }] },
  ];
  expect(undoOfRelayer(changes, { id: "r" })).toHaveProperty("because");
});
