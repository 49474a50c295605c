import fc from "fast-check";
import {
  type Bare,
  type BaseUnit,
  type Currency,
  convertedAmount,
  currencyOf,
  formatAmount,
  GAS_PRICE,
  isEvmSymbol,
  isKnownSymbol,
  knownSymbol,
  LAMPORTS,
  parseAmount,
  priceText,
  readAmount,
  STROOPS,
  suggestedPrice,
  typedAmount,
  wireAmount,
} from "../../src/contract/amount.ts";
import { NumberLiteral } from "../../src/contract/json.ts";

const ETH = currencyOf("evm", "ETH");
const POL = currencyOf("evm", "POL");
const UNKNOWN = currencyOf("evm");
const currencies: Record<BaseUnit, Currency> = { wei: ETH, lamport: LAMPORTS, stroop: STROOPS };

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
])("an amount is parsed exactly: %s of %s", (text, base, amount) => {
  expect(parseAmount(text, currencies[base])).toBe(amount);
});

test.each<[string, BaseUnit, RegExp]>([
  ["", "wei", /needs digits, optionally with a unit/],
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
  ["0x", "wei", /needs digits/],
  ["0xdai", "wei", /needs digits/],
  ["1e18pol", "wei", /needs digits/],
  ["0.1", "wei", /needs a unit or a whole number of wei, e.g. 0\.1eth/],
  ["0.1", "stroop", /whole number of stroop, e.g. 0\.1xlm/],
  ["1.0000000000000000001eth", "wei", /more decimals than eth \(18 at most\)/],
  ["0.5wei", "wei", /more decimals than wei \(0 at most\)/],
  ["0.00000001xlm", "stroop", /more decimals than xlm \(7 at most\)/],
  ["1btc", "wei", /unknown unit; known: wei, kwei, mwei, gwei, eth, ether$/],
  ["5gwie", "wei", /unknown unit \(did you mean gwei\?\); known: wei, kwei, mwei, gwei, eth, ether$/],
  ["1pol", "wei", /^the coin of this network is ETH: 1eth$/],
  ["1eth", "lamport", /^the coin of this network is SOL: 1sol$/],
  ["2 sol", "stroop", /^the coin of this network is XLM: 2xlm$/],
  ["1constructor", "wei", /unknown unit/],
])("an amount that cannot be exact is rejected: %s of %s", (text, base, message) => {
  expect(() => parseAmount(text, currencies[base])).toThrow(message);
});

describe("an amount is formatted in the coin, however small", () => {
  test.each<[bigint, BaseUnit, string]>([
    [0n, "wei", "0 ETH"],
    [1n, "wei", "0.000000000000000001 ETH"],
    [80n * 10n ** 9n, "wei", "0.00000008 ETH"],
    [10n ** 9n, "wei", "0.000000001 ETH"],
    [10n ** 9n - 1n, "wei", "0.000000000999999999 ETH"],
    [5n * 10n ** 17n, "wei", "0.5 ETH"],
    [-(10n ** 18n), "wei", "-1 ETH"],
    [10n ** 18n + 1n, "wei", "1.000000000000000001 ETH"],
    [5000n, "lamport", "0.000005 SOL"],
    [10_000_000n, "lamport", "0.01 SOL"],
    [1_000_000n, "stroop", "0.1 XLM"],
    [1n, "stroop", "0.0000001 XLM"],
  ])("%s of %s", (amount, base, text) => expect(formatAmount(amount, currencies[base])).toBe(text));

  test("a formatted amount can be typed, and is the same amount", () => {
    const amount = fc.bigInt({ min: 0n, max: 2n ** 140n });
    fc.assert(
      fc.property(amount, fc.constantFrom(ETH, POL, UNKNOWN, LAMPORTS, STROOPS, GAS_PRICE), (size, base) => {
        expect(parseAmount(typedAmount(size, base), base)).toBe(size);
        expect(parseAmount(formatAmount(size, base), base)).toBe(size);
      }),
    );
  });
});

describe("the coin of a network as a unit", () => {
  test.each<[string, Currency, bigint]>([
    ["1pol", POL, 10n ** 18n],
    ["0.5 POL", POL, 5n * 10n ** 17n],
    ["3gwei", POL, 3n * 10n ** 9n],
    ["1xdai", currencyOf("evm", "xDAI"), 10n ** 18n],
    ["7wei", UNKNOWN, 7n],
    ["7gwei", UNKNOWN, 7n * 10n ** 9n],
  ])("%s", (text, currency, amount) => expect(parseAmount(text, currency)).toBe(amount));

  test.each<[string, Currency, string]>([
    ["1eth", POL, "the coin of this network is POL: 1pol"],
    ["1ether", POL, "the coin of this network is POL: 1pol"],
    ["0.25 matic", POL, "the coin of this network is POL: 0.25pol"],
    ["1pol", UNKNOWN, "has an unknown unit; known: wei, kwei, mwei, gwei"],
    ["1sol", UNKNOWN, "has an unknown unit; known: wei, kwei, mwei, gwei, eth, ether, or the network's own coin"],
    ["1.5gweis", UNKNOWN, "has an unknown unit (did you mean gwei?); known: wei, kwei, mwei, gwei, eth, ether, or"],
  ])("%s is rejected on a network with another coin", (text, currency, message) => {
    expect(() => parseAmount(text, currency)).toThrow(message);
  });

  test("a coin is kept for later if the network is unknown", () => {
    expect(readAmount("1.5 Foo", UNKNOWN)).toEqual({ amount: 15n * 10n ** 17n, coin: "Foo" });
    expect(readAmount("1gwei", UNKNOWN)).toEqual({ amount: 10n ** 9n });
    expect(() => readAmount("1.5gweis", UNKNOWN)).toThrow("has an unknown unit");
  });

  test.each<[bigint, Currency, string]>([
    [30n * 10n ** 18n, POL, "30 POL"],
    [30n * 10n ** 18n, UNKNOWN, "30000000000000000000 wei"],
    [5n, POL, "0.000000000000000005 POL"],
    [5n, UNKNOWN, "5 wei"],
    [2n * 10n ** 9n, UNKNOWN, "2000000000 wei"],
  ])("%s is formatted in that coin", (amount, currency, text) => expect(formatAmount(amount, currency)).toBe(text));
});

describe("a gas price of any size is formatted in gwei", () => {
  test.each<[bigint, string]>([
    [0n, "0 gwei"],
    [1n, "0.000000001 gwei"],
    [12_500_000_000n, "12.5 gwei"],
    [120n * 10n ** 9n, "120 gwei"],
    [20n * 10n ** 18n, "20000000000 gwei"],
  ])("%s wei", (amount, text) => expect(formatAmount(amount, GAS_PRICE)).toBe(text));

  test("is typed in wei if small", () => {
    expect(typedAmount(80n, GAS_PRICE)).toBe("80wei");
    expect(typedAmount(80n * 10n ** 9n, GAS_PRICE)).toBe("80gwei");
    expect(convertedAmount(80n * 10n ** 9n, GAS_PRICE)).toBe("80gwei = 80000000000 wei");
  });
});

describe("a number without a unit", () => {
  test.each<[string, Currency, Bare, bigint]>([
    ["120", GAS_PRICE, "any", 120n],
    ["0", GAS_PRICE, "line", 0n],
    ["0x0", GAS_PRICE, "line", 0n],
    ["1000000000", GAS_PRICE, "line", 10n ** 9n],
    ["80wei", GAS_PRICE, "line", 80n],
    ["0.5gwei", GAS_PRICE, "line", 5n * 10n ** 8n],
    ["1", POL, "line", 1n],
    ["0", POL, "prompt", 0n],
    ["00", GAS_PRICE, "prompt", 0n],
    ["80wei", GAS_PRICE, "prompt", 80n],
  ])("%s is accepted", (text, currency, bare, amount) => expect(parseAmount(text, currency, bare)).toBe(amount));

  test.each<[string, Currency, Bare, string]>([
    ["120", GAS_PRICE, "line", "has no unit: did you mean 120gwei? (120wei if you do mean wei)"],
    ["0x78", GAS_PRICE, "line", "has no unit: did you mean 120gwei? (120wei if you do mean wei)"],
    ["999999999", GAS_PRICE, "line", "has no unit: did you mean 999999999gwei? (999999999wei if you do mean wei)"],
    ["120", GAS_PRICE, "prompt", "has no unit: did you mean 120gwei? (120wei if you do mean wei)"],
    [
      "80000000000",
      GAS_PRICE,
      "prompt",
      "has no unit: did you mean 80000000000gwei? (80000000000wei if you do mean wei)",
    ],
    ["0x78", ETH, "prompt", "has no unit: did you mean 120eth? (120wei if you do mean wei)"],
    ["2", POL, "prompt", "has no unit: did you mean 2pol? (2wei if you do mean wei)"],
    ["2", UNKNOWN, "prompt", "has no unit: did you mean 2gwei? (2wei if you do mean wei)"],
    ["5", STROOPS, "prompt", "has no unit: did you mean 5xlm? (5stroops if you do mean stroops)"],
    ["5", LAMPORTS, "prompt", "has no unit: did you mean 5sol? (5lamports if you do mean lamports)"],
    ["0.5", POL, "prompt", "needs a unit, e.g. 0.5pol"],
    ["two", POL, "prompt", "needs digits, optionally with a unit, e.g. 1.5pol or 80gwei"],
  ])("%s is rejected with both readings", (text, currency, bare, message) => {
    expect(() => parseAmount(text, currency, bare)).toThrow(message);
  });
});

describe("the symbol of an EVM coin", () => {
  test.each(["ETH", "POL", "xDAI", "A1", "ABCDEFGHIJKL"])("can be %s", (text) => expect(isEvmSymbol(text)).toBe(true));

  test.each(["", "wei", "GWEI", "Ether", "lamports", "stroop", "SOL", "xlm", "e18", "1INCH", "A B", "\u001b[31m", "$"])(
    "cannot be %j",
    (text) => expect(isEvmSymbol(text)).toBe(false),
  );

  test.each([null, undefined, 5, {}, ["ETH"], "ABCDEFGHIJKLM"])("cannot be %j", (value) => {
    expect(isEvmSymbol(value)).toBe(false);
  });

  test("is known for well-known networks, by their exact names", () => {
    expect(["mainnet", "polygon", "polygon-amoy", "binance-smart-chain", "gnosis"].map(knownSymbol)).toEqual([
      "ETH",
      "POL",
      "POL",
      "BNB",
      "xDAI",
    ]);
    expect(["Polygon", "poly", "", "constructor", undefined, null].map(knownSymbol)).toEqual(Array(6).fill(undefined));
    expect(["pol", "XDAI", "foo", ""].map(isKnownSymbol)).toEqual([true, true, false, false]);
  });
});

describe("an amount on the wire", () => {
  test.each([5, 5n, "5", "0x5", "0X05", "0o5", "0b101", "0_5_", new NumberLiteral("5.0")])("%s is five", (value) => {
    expect(wireAmount(value)).toBe(5n);
  });

  test.each([
    1.5,
    "",
    "0x",
    "0b2",
    "0o8",
    "_",
    "-5",
    "1e3",
    "five",
    null,
    true,
    undefined,
    [5],
    new NumberLiteral("1e400"),
  ])("%s is not an amount", (value) => expect(wireAmount(value as never)).toBeUndefined());
});

test.each([
  [84_173_913_043n, "84.2gwei"],
  [84_200_000_000n, "84.2gwei"],
  [80_000_000_000n, "80gwei"],
  [1_000_000_001n, "1.1gwei"],
  [10n ** 9n, "1gwei"],
  [123_456_789n, "0.123456789gwei"],
  [999n, "999wei"],
])("a price of %d wei is suggested as %s, never less", (price, typed) => expect(suggestedPrice(price)).toBe(typed));

test("a suggested price never exceeds the limit", () => {
  expect(suggestedPrice(13_750_000_000n, 13_750_000_000n)).toBe("13.75gwei");
  expect(suggestedPrice(13_750_000_000n, 13_800_000_000n)).toBe("13.8gwei");
});

test("the largest price, a cap that limits nothing, is shown without its 39 digits", () =>
  expect([2n ** 128n - 1n, 2n ** 128n - 2n].map(priceText)).toEqual([
    "2^128-1 wei",
    "340282366920938463463374607431.768211454 gwei",
  ]));
