import { describe, expect, test } from "vitest";
import { missingPolicies, networkRule } from "../../../src/contract/policy.ts";

describe("the missing fields of a policy", () => {
  const options = (fields: object) => ({ swap_config: { jupiter_swap_options: { ...fields } } });
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
    ["stellar", { fee_payment_strategy: "user" }, []],
    ["stellar", { fee_payment_strategy: null }, ["fee_payment_strategy"]],
    ["stellar", { fee_payment_strategy: "user", swap_config: { strategies: ["soroswap"] } }, []],
    ["stellar", { fee_payment_strategy: "user", swap_config: { strategies: [] } }, ["swap_config.strategies"]],
    ["stellar", { fee_payment_strategy: "user", swap_config: {} }, ["swap_config.strategies"]],
  ] as const)("%s %j: %j", (kind, policies, paths) => {
    expect(missingPolicies(kind, policies as never).map(({ path }) => path)).toEqual(paths);
  });

  test("have the service's messages", () => {
    expect(missingPolicies("stellar", { swap_config: {} }).map(({ rule }) => rule)).toEqual([
      "Fee payment strategy is required",
      "Swap config must include at least one strategy",
    ]);
  });
});

describe("a swap strategy", () => {
  const swap = (strategy: string | null) => ({ swap_config: { strategy } });

  test.each([
    ["jupiter-swap", "JupiterSwap strategy is only supported on mainnet-beta"],
    ["jupiter-ultra", "JupiterUltra strategy is only supported on mainnet-beta"],
    ["noop", undefined],
    [null, undefined],
  ])("%s outside mainnet-beta: %s", (strategy, rule) => {
    expect(networkRule("solana", "devnet", swap(strategy))).toBe(rule);
    expect(networkRule("solana", "mainnet-beta", swap(strategy))).toBeUndefined();
    expect(networkRule("stellar", "testnet", swap(strategy))).toBeUndefined();
  });
});
