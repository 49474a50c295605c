import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type BaseUnit, formatAmount, parseAmount, typedAmount, wireAmount } from "../../src/contract/amount.ts";
import { NumberLiteral } from "../../src/contract/json.ts";

const bases = ["wei", "lamport", "stroop"] as const;

describe("an amount is read exactly", () => {
  test.each<[string, BaseUnit, bigint]>([
    ["0", "wei", 0n],
    ["21000", "wei", 21000n],
    ["007", "wei", 7n],
    ["1.5eth", "wei", 15n * 10n ** 17n],
    ["1.5ETH", "wei", 15n * 10n ** 17n],
    ["1ether", "wei", 10n ** 18n],
    ["0.000000000000000001eth", "wei", 1n],
    ["50gwei", "wei", 50n * 10n ** 9n],
    ["80.5 gwei", "wei", 805n * 10n ** 8n],
    ["1 ETH", "wei", 10n ** 18n],
    ["2mwei", "wei", 2_000_000n],
    ["2kwei", "wei", 2000n],
    ["12wei", "wei", 12n],
    ["0xff", "wei", 255n],
    ["0XFF", "wei", 255n],
    ["340282366920938463463374607431768211455", "wei", 2n ** 128n - 1n],
    ["0.01sol", "lamport", 10_000_000n],
    ["5lamports", "lamport", 5n],
    ["0.1xlm", "stroop", 1_000_000n],
    ["5000stroop", "stroop", 5000n],
    ["0.0000001xlm", "stroop", 1n],
  ])("%s of %s", (text, base, amount) => {
    expect(parseAmount(text, base)).toBe(amount);
  });
});

describe("an amount that cannot be exact is refused", () => {
  test.each<[string, BaseUnit, RegExp]>([
    ["", "wei", /needs digits and perhaps a unit/],
    ["-1", "wei", /needs digits/],
    ["+1", "wei", /needs digits/],
    ["1e18", "wei", /needs digits/],
    ["1e18eth", "wei", /needs digits/],
    ["1_000", "wei", /needs digits/],
    ["1,5eth", "wei", /needs digits/],
    [" 1", "wei", /needs digits/],
    ["1  eth", "wei", /needs digits/],
    ["1\teth", "wei", /needs digits/],
    ["1\u00a0eth", "wei", /needs digits/],
    ["1 ", "wei", /needs digits/],
    ["1 000 wei", "wei", /needs digits/],
    ["1. 5eth", "wei", /needs digits/],
    [".5eth", "wei", /needs digits/],
    ["5.eth", "wei", /needs digits/],
    ["eth", "wei", /needs digits/],
    ["١eth", "wei", /needs digits/],
    ["0x1g", "wei", /needs digits/],
    ["0x1.5", "wei", /needs digits/],
    ["0x", "wei", /unknown unit/],
    ["0.1", "wei", /needs a unit or a whole number of wei, for example 0\.1eth/],
    ["0.1", "stroop", /whole number of stroop, for example 0\.1xlm/],
    ["1.0000000000000000001eth", "wei", /more decimals than eth \(18 at most\)/],
    ["0.5wei", "wei", /more decimals than wei \(0 at most\)/],
    ["0.00000001xlm", "stroop", /more decimals than xlm \(7 at most\)/],
    ["1btc", "wei", /unknown unit; known: wei, kwei, mwei, gwei, eth, ether/],
    ["1eth", "lamport", /unknown unit; known: lamport, lamports, sol/],
    ["1constructor", "wei", /unknown unit/],
  ])("%s of %s", (text, base, message) => {
    expect(() => parseAmount(text, base)).toThrow(message);
  });
});

describe("an amount is shown in the largest unit that keeps it readable", () => {
  test.each<[bigint, BaseUnit, string]>([
    [0n, "wei", "0 wei"],
    [999_999n, "wei", "999999 wei"],
    [80n * 10n ** 9n, "wei", "80 gwei"],
    [1_500_000n, "wei", "0.0015 gwei"],
    [5n * 10n ** 17n, "wei", "0.5 ETH"],
    [-(10n ** 18n), "wei", "-1 ETH"],
    [10n ** 18n + 1n, "wei", "1.000000000000000001 ETH"],
    [5000n, "lamport", "5000 lamport"],
    [10_000_000n, "lamport", "0.01 SOL"],
    [1_000_000n, "stroop", "0.1 XLM"],
  ])("%s of %s", (amount, base, text) => {
    expect(formatAmount(amount, base)).toBe(text);
  });

  test("what is shown can be typed again, and is the same amount", () => {
    const amount = fc.bigInt({ min: 0n, max: 2n ** 140n });
    fc.assert(
      fc.property(amount, fc.constantFrom(...bases), (size, base) => {
        expect(parseAmount(typedAmount(size, base), base)).toBe(size);
        expect(parseAmount(formatAmount(size, base), base)).toBe(size);
      }),
    );
  });
});

describe("an amount on the wire", () => {
  test.each([5, 5n, "5", "0x5", "0X05", new NumberLiteral("5.0")])("%s is five", (value) => {
    expect(wireAmount(value)).toBe(5n);
  });

  test.each([1.5, "", "0x", "-5", "1e3", "five", null, true, undefined, [5], new NumberLiteral("1e400")])(
    "%s is none",
    (value) => {
      expect(wireAmount(value as never)).toBeUndefined();
    },
  );
});
