import { undoOfRelayer } from "../../../../src/commands/relayers/change/undo.ts";
import type { JsonValue } from "../../../../src/contract/json.ts";

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
