import {
  fieldItemProblem,
  fieldItemText,
  fieldTextForm,
  readFieldText,
} from "../../../../src/commands/relayers/edit/read-field-text.ts";
import { type ListField, type PolicyField, policyFieldAt, policyFields } from "../../../../src/contract/policy.ts";

const { evm, solana, stellar } = policyFields;
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
    expect(readFieldText(text, at(fields, path))).toEqual({ value });
  });

  test("with every digit of a decimal", () => {
    const reading = readFieldText("1.50", at(stellar, "slippage_percentage"));
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
  const reading = readFieldText(text, at(fields, path));
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
