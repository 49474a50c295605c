import {
  leaveChoice,
  listClearChoices,
  listMoves,
  listPartChoices,
  valueChoices,
} from "../../../../src/commands/relayers/edit/prompts/list.ts";
import type { JsonValue } from "../../../../src/contract/json.ts";
import { type ListField, policyFields } from "../../../../src/contract/policy.ts";
import { demoRelayers } from "../../../../src/embedded-server/seed/relayers.ts";
import { type PartField, relayerParts, type Subject, shownRelayerPart } from "../../../../src/views/relayer-parts.ts";

const { evm, solana, stellar } = policyFields;
const field = (of: PartField | undefined): PartField => of ?? { type: "name" };
const subject = (of: PartField | undefined, now: JsonValue, rule?: string): Subject => ({
  label: "it",
  field: field(of),
  now,
  keep: () => {},
  broken: () => rule,
});

const partNamed = (name: string) => relayerParts({ id: "r" }).find((part) => part.name === name)?.field;

test.each([
  ["80 gwei (80000000000)", evm.gas_price_cap, 80_000_000_000],
  ["not set (no cap applies)", evm.gas_price_cap, null],
  ["1 wei (default)", evm.min_balance, 1],
  ["not set (default: 1 wei)", evm.min_balance, null],
  ["0.02 SOL (20000000)", solana.min_balance, 20_000_000],
  ["0.1 XLM (1000000)", stellar.max_fee, 1_000_000],
  ["yes (default)", evm.eip1559_pricing, true],
  ["no", evm.eip1559_pricing, false],
  ["not set (this relayer may send to any address)", evm.whitelist_receivers, null],
  ["none", evm.whitelist_receivers, []],
  ["1 entry", evm.whitelist_receivers, ["0x1"]],
  ["not set (same as user)", solana.fee_payment_strategy, null],
  ["not set", solana.max_signatures, null],
  ["1 field set", solana.swap_config, { strategy: null, cron_schedule: "@daily" }],
  ["not set (its events are not reported)", partNamed("notification"), null],
  ["1 (masked: replaced as a whole or not at all)", { type: "rpc_urls" }, [{ url: "https://a/***" }]],
  ["paused", { type: "state" }, true],
] as [string, PartField, JsonValue][])("shows a value as %s", (shown, of, value) => {
  expect(shownRelayerPart(value, of)).toBe(shown);
});

describe("keeping, setting, and clearing differ", () => {
  test("the clear choice shows what then applies", () => {
    const set = subject(evm.gas_price_cap, 80_000_000_000);
    expect(leaveChoice(set)).toEqual({ value: undefined, name: "keep 80 gwei (80000000000)" });
    expect(listClearChoices(set)).toEqual([{ value: null, name: "clear (no cap applies)" }]);
  });

  test("an unset value cannot be cleared", () => {
    const unset = subject(evm.min_balance, null);
    expect(leaveChoice(unset).name).toBe("leave unset (default: 1 wei)");
    expect(listClearChoices(unset)).toEqual([]);
  });

  test("a forbidden choice is disabled, with the rule", () => {
    const strategy = subject(stellar.fee_payment_strategy, "user", "it needs one");
    expect(listClearChoices(strategy)).toEqual([{ value: null, name: "clear", disabled: "it needs one" }]);
    expect(valueChoices(["user", "relayer"], strategy)).toEqual([
      { value: "relayer", name: "relayer", disabled: "it needs one" },
    ]);
  });
});

describe("the choices for a list", () => {
  const list = (of: PartField | undefined, now: JsonValue, by: readonly JsonValue[] | null) =>
    listMoves(subject(of, now), of as ListField, by).map(({ name }) => name);

  test("if unset: an empty list is offered, which allows none instead of all", () =>
    expect(list(evm.whitelist_receivers, null, null)).toEqual([
      "leave unset (this relayer may send to any address)",
      "add",
      "set an empty list: this relayer may send only to itself and the zero address",
    ]));

  test("if unset: an empty list is offered only if it has another meaning", () => {
    expect(list(solana.disallowed_accounts, null, null)).toEqual(["leave unset (no account is rejected)", "add"]);
    expect(list(solana.allowed_accounts, null, null)).toContain("set an empty list: any account may be used, or none");
  });

  test("if set: it can be emptied and cleared", () => {
    const now = ["0x1"];
    expect(list(evm.whitelist_receivers, now, now)).toEqual([
      "keep 1 entry",
      "add",
      "remove one",
      "remove all: this relayer may send only to itself and the zero address",
      "clear (this relayer may send to any address)",
    ]);
    expect(list(evm.whitelist_receivers, now, [...now, "0x2"])[0]).toBe("done: 2 entries");
  });

  test("of objects: an object can be changed", () => {
    const now = [{ mint: "x" }];
    expect(list(solana.allowed_tokens, now, now)).toContain("change one");
  });

  test("of options: no option can be added twice", () => {
    const [strategies] = relayerParts({ id: "r", network_type: "stellar" })
      .filter(({ name }) => name === "swap_config")
      .map(({ field }) => (field.type === "object" ? field.fields.strategies : undefined));
    const both = ["order-book", "soroswap"];
    expect(list(strategies, both, both)).not.toContain("add");
    expect(list(strategies, both, ["soroswap"])).toContain("add");
  });
});

test("shows each part of a relayer with its current value", () => {
  const relayer = demoRelayers.find(({ id }) => id === "eth-main-2");
  if (!relayer) throw new Error("the seed has no eth-main-2");
  expect(listPartChoices(relayerParts(relayer, "ETH"), relayer).map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      "name                  Mainnet 2",
      "paused                paused",
      "notification          ops-hook",
      "rpc urls              2 (masked: replaced as a whole or not at all)",
      "eip1559_pricing       yes (default)",
      "gas_limit_estimation  not set (default: yes)",
      "gas_price_cap         80 gwei (80000000000)",
      "min_balance           0.5 ETH (500000000000000000)",
      "private_transactions  not set (default: no)",
      "whitelist_receivers   2 entries",
      "include_revert_data   not set (default: no)",
    ]),
  );
});
