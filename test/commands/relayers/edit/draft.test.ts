import { type JsonObject, mergePatch, parseJson, writeJson } from "../../../../src/contract/json.ts";
import { policyFieldPaths, policyFields } from "../../../../src/contract/policy.ts";
import type { Relayer } from "../../../../src/contract/resources/relayer.ts";
import {
  type Part,
  relayerDraft,
  relayerPartAnswered,
  relayerPartSubject,
  relayerParts,
  relayerPartsInOrder,
  relayerPartsPatch,
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
