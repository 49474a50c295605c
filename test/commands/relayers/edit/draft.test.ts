import {
  leaveChoice,
  listClearChoices,
  listMoves,
  listPartChoices,
  valueChoices,
} from "../../../../src/commands/relayers/edit/prompts/list.ts";
import {
  fieldItemProblem,
  fieldItemText,
  fieldTextForm,
  parseFieldText,
} from "../../../../src/commands/relayers/edit/read-field-text.ts";
import { type JsonObject, type JsonValue, mergePatch, parseJson, writeJson } from "../../../../src/contract/json.ts";
import {
  type ListField,
  type PolicyField,
  policyFieldAt,
  policyFieldPaths,
  policyFields,
} from "../../../../src/contract/policy.ts";
import type { Relayer } from "../../../../src/contract/resources/relayer.ts";
import { demoRelayers } from "../../../../src/embedded-server/seed/relayers.ts";
import {
  type Part,
  type PartField,
  relayerDraft,
  relayerPartAnswered,
  relayerPartSubject,
  relayerParts,
  relayerPartsInOrder,
  relayerPartsPatch,
  type Subject,
  shownRelayerPart,
} from "../../../../src/views/relayer-parts.ts";

const relayer = (network_type: string, policies: object, network = "mainnet-beta"): Relayer =>
  ({ id: "r", network, network_type, policies }) as Relayer;

const draftOf = (of: Relayer) => relayerDraft(of, () => {});

function partAt(of: Relayer, path: string): Part {
  const found = relayerParts(of).find((part) => part.path === `policies.${path}`);
  if (!found) throw new Error(`no part ${path}`);
  return found;
}

describe("the parts that can be changed", () => {
  test.each(["evm", "solana", "stellar"] as const)("include every policy of %s relayers", (kind) => {
    const paths = relayerParts(relayer(kind, {})).map(({ path }) => path);
    const heads = policyFieldPaths(policyFields[kind]).filter((path) => !path.includes("."));
    expect(paths.filter((path) => path.startsWith("policies."))).toEqual(heads.map((path) => `policies.${path}`));
  });

  test("include no policy for an unknown network type", () =>
    expect(relayerParts(relayer("cosmos", {})).map(({ path }) => path)).not.toContain("policies.min_balance"));
});

describe("a rule across policies is reported at the value that breaks it", () => {
  const address = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

  test.each([
    ["solana", { allowed_accounts: [address] }, "disallowed_accounts", [address], "cannot be both present"],
    ["solana", { disallowed_accounts: [address] }, "allowed_accounts", [address], "cannot be both present"],
    ["solana", { swap_config: { strategy: "noop" } }, "fee_payment_strategy", "relayer", "only supported for user"],
    ["solana", { fee_payment_strategy: "relayer" }, "swap_config", { strategy: "noop" }, "only supported for user"],
    [
      "solana",
      { swap_config: { strategy: "jupiter-swap", jupiter_swap_options: {} } },
      "swap_config",
      { strategy: "noop", jupiter_swap_options: {} },
      "only valid for JupiterSwap",
    ],
    ["stellar", { fee_payment_strategy: "user" }, "fee_payment_strategy", null, "Fee payment strategy is required"],
    [
      "stellar",
      { fee_payment_strategy: "relayer" },
      "swap_config",
      { strategies: ["soroswap"] },
      "only supported for user",
    ],
    ["evm", {}, "min_balance", -1, "a whole number of wei"],
  ] as const)("%s %j, %s: %j", (kind, policies, path, value, rule) => {
    const of = relayer(kind, policies);
    expect(relayerPartSubject(draftOf(of), partAt(of, path)).broken(value as never)).toContain(rule);
  });

  test("also depends on the relayer's network", () => {
    const of = relayer("solana", {}, "devnet");
    const { broken } = relayerPartSubject(draftOf(of), partAt(of, "swap_config"));
    expect(broken({ strategy: "jupiter-swap" })).toContain("only supported on mainnet-beta");
    expect(broken({ strategy: "noop" })).toBeUndefined();
  });

  test("no longer applies after the other policy is cleared", () => {
    const of = relayer("solana", { allowed_accounts: [address] });
    const cleared = relayerPartAnswered(draftOf(of), partAt(of, "allowed_accounts"), null);
    expect(relayerPartSubject(cleared, partAt(of, "disallowed_accounts")).broken([address])).toBeUndefined();
  });

  test("does not reject a value because of an earlier violation", () => {
    const of = relayer("evm", { min_balance: "much", of_later: 1 });
    const { broken } = relayerPartSubject(draftOf(of), partAt(of, "gas_price_cap"));
    expect(broken(1n)).toBeUndefined();
  });
});

describe("the order of the questions", () => {
  const paths = (parts: readonly Part[]) => parts.map(({ name }) => name);

  test("is the order of the parts", () => {
    const of = relayer("evm", {});
    expect(paths(relayerPartsInOrder(relayerParts(of), of))).toEqual(paths(relayerParts(of)));
  });

  test.each([
    ["solana", { disallowed_accounts: ["x"] }, "allowed_accounts", "disallowed_accounts"],
    ["solana", { swap_config: {} }, "fee_payment_strategy", "swap_config"],
    ["stellar", { swap_config: {} }, "fee_payment_strategy", "swap_config"],
  ])("%s %j: after %s it would be too late to clear %s, so the latter is first", (kind, policies, second, first) => {
    const set = relayer(kind, policies);
    expect(paths(relayerPartsInOrder([partAt(set, second), partAt(set, first)], set))).toEqual([first, second]);
    const unset = relayer(kind, {});
    expect(paths(relayerPartsInOrder([partAt(unset, second), partAt(unset, first)], unset))).toEqual([second, first]);
    expect(paths(relayerPartsInOrder([partAt(set, second)], set))).toEqual([second]);
  });
});

test.each([
  ["nothing", { name: "a", policies: { cap: 1 } }, { name: "a", policies: { cap: 1 } }, {}],
  ["one field", { name: "a", paused: true }, { name: "b", paused: true }, { name: "b" }],
  ["a field of a policy", { policies: { a: 1, b: 2 } }, { policies: { a: 1, b: 3 } }, { policies: { b: 3 } }],
  [
    "a removed field as null",
    { notification_id: "n", policies: { a: 1 } },
    { policies: {} },
    { notification_id: null, policies: { a: null } },
  ],
  ["null like a removed field", { notification_id: "n" }, { notification_id: null }, { notification_id: null }],
  ["nothing if both are unset", { a: null }, { b: null }, {}],
  ["a whole new object", { policies: {} }, { policies: { s: { t: 1 } } }, { policies: { s: { t: 1 } } }],
  ["a whole object that was null", { s: null }, { s: { t: 1 } }, { s: { t: 1 } }],
  ["a removed object as one null", { s: { t: 1 } }, {}, { s: null }],
  ["a whole list", { l: ["a", "b"] }, { l: ["b"] }, { l: ["b"] }],
  ["a list in another order", { l: ["a", "b"] }, { l: ["b", "a"] }, { l: ["b", "a"] }],
  ["no amount that only differs in format", { gas_price_cap: "80" }, { gas_price_cap: 80n }, {}],
  ["a name that only looks like the same amount", { name: "05" }, { name: "5" }, { name: "5" }],
  ["false instead of unset", { flag: null }, { flag: false }, { flag: false }],
])("a patch has %s", (_, before, after, patch) => expect(relayerPartsPatch(before, after)).toEqual(patch));

test("a patch keeps every digit, and distinguishes digits above 2^53", () => {
  const relayer = (cap: string) =>
    parseJson(`{"policies":{"gas_price_cap":${cap}}}`) as object as Record<string, never>;
  expect(relayerPartsPatch(relayer("9007199254740993"), relayer("9007199254740993"))).toEqual({});
  expect(relayerPartsPatch(relayer("9007199254740992"), relayer("9007199254740993"))).toEqual({
    policies: { gas_price_cap: 9007199254740993n },
  });
});

test("a patch keeps a member whose name objects inherit", () => {
  const given = parseJson('{"__proto__":{"a":1},"constructor":{"b":2}}') as JsonObject;
  expect([relayerPartsPatch({}, given), mergePatch({}, given)].map((patch) => writeJson(patch))).toEqual(
    Array(2).fill(writeJson(given)),
  );
});

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

function at(fields: typeof evm, path: string): PolicyField {
  const field = policyFieldAt(fields, path);
  if (!field) throw new Error(`no field ${path}`);
  return field;
}

describe("parses the text for each field", () => {
  test.each([
    [evm, "gas_price_cap", "120gwei", 120_000_000_000n],
    [evm, "gas_price_cap", "80.5 gwei", 80_500_000_000n],
    [solana, "min_balance", "0.01sol", 10_000_000n],
    [stellar, "max_fee", "100stroops", 100n],
    [solana, "max_signatures", "255", 255n],
    [solana, "swap_config.cron_schedule", "@daily", "@daily"],
  ] as const)("%#: %s %s", (fields, path, text, value) => {
    expect(parseFieldText(text, at(fields, path))).toEqual({ value });
  });

  test("with every digit of a decimal", () => {
    const reading = parseFieldText("1.50", at(stellar, "slippage_percentage"));
    expect("value" in reading && String(reading.value)).toBe("1.50");
  });
});

test.each([
  [evm, "gas_price_cap", "1.5", "needs a unit, e.g. 1.5gwei"],
  [solana, "min_balance", "5", "has no unit: did you mean 5sol? (5lamports if you do mean lamports)"],
  [solana, "swap_config.jupiter_swap_options.priority_fee_max_lamports", "0", /greater than 0, e.g. 0\.01sol/],
  [evm, "gas_price_cap", "12x", /unknown unit; known: wei.*, e.g. 80gwei$/],
  [solana, "max_signatures", "256", "a whole number from 0 to 255, e.g. 60"],
  [stellar, "slippage_percentage", "101", "Slippage percentage must be between 0 and 100, e.g. 0.5"],
  [
    stellar,
    "swap_config.cron_schedule",
    "hourly",
    "Invalid cron schedule format: 6 or 7 cron fields, seconds first, e.g. 0 0 * * * *",
  ],
] as const)("reports the rule and an example for an invalid text: %#: %s %s", (fields, path, text, problem) => {
  const reading = parseFieldText(text, at(fields, path));
  expect("problem" in reading && reading.problem).toMatch(problem);
});

test("a question shows an example", () => {
  expect(fieldTextForm(at(evm, "min_balance"))).toBe("e.g. 80gwei");
  expect(fieldTextForm(at(solana, "max_signatures"))).toBe("e.g. 60");
});

describe("an entry to add to a list", () => {
  const receivers = evm.whitelist_receivers as ListField;
  const accounts = solana.allowed_accounts as ListField;
  const one = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";

  test.each([
    [receivers, "0x8617", [], "an address has 40 hex digits, this one has 4, e.g. 0x5290"],
    [receivers, one.replace("D", "d"), [], "the checksum of this address is wrong"],
    [receivers, one, [one], `${one} is already in the list`],
    [receivers, one.toLowerCase(), [one], `${one.toLowerCase()} is already in the list`],
    [accounts, one, [], "Public key must be a valid Solana address, e.g. EPjF"],
  ])("%#: is rejected: %s", (field, text, list, problem) => {
    expect(fieldItemProblem(text, list, field)).toContain(problem);
  });

  test("is accepted if valid", () => {
    expect(fieldItemProblem(one, [], receivers)).toBeUndefined();
    expect(fieldItemProblem("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", [], accounts)).toBeUndefined();
  });

  test("is labeled with its key and symbol", () => {
    const tokens = solana.allowed_tokens as ListField;
    expect(fieldItemText({ mint: "EPjF", symbol: "USDC" }, tokens)).toBe("EPjF (USDC)");
    expect(fieldItemText({ mint: "EPjF", symbol: null }, tokens)).toBe("EPjF");
    expect(fieldItemText(one, receivers)).toBe(one);
  });
});
