import fc from "fast-check";
import { compareDecimals, type Decimal, decimalOf, numberOf } from "../../src/contract/decimal.ts";
import { NumberLiteral } from "../../src/contract/json.ts";

const read = (text: string): Decimal => decimalOf(text) ?? { units: -1n, scale: -1 };

test.each([
  ["1.0", "1"],
  ["1e21", "1000000000000000000000"],
  ["1e+21", "1000000000000000000000"],
  ["0.10", "0.1"],
  ["125e-2", "1.25"],
  ["0x5", "5"],
  ["-0", "0"],
])("%s equals %s", (left, right) => expect(compareDecimals(read(left), read(right))).toBe(0));

test.each([
  ["9007199254740993", "9007199254740992.5"],
  ["340282366920938463463374607431768211455", "340282366920938463463374607431768211454"],
  ["0.1", "0.09999999999999999999"],
  ["-1.5", "-1.6"],
  ["0.25", "-7"],
])("%s is greater than %s", (larger, smaller) => {
  expect(compareDecimals(read(larger), read(smaller))).toBe(1);
  expect(compareDecimals(read(smaller), read(larger))).toBe(-1);
});

test.each(["", "007", "1.", ".5", "1_000", "abc", "0x", "1e9999", "9".repeat(1001)])("%s is not a decimal", (text) => {
  expect(decimalOf(text)).toBeUndefined();
});

test("orders integers like BigInt", () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.bigInt(), (left, right) => {
      const order = left < right ? -1 : left > right ? 1 : 0;
      expect(compareDecimals(read(String(left)), read(String(right)))).toBe(order);
    }),
  );
});

test("a value counts as a number if it is one, or an integer in a string", () => {
  expect(
    [5, 5n, new NumberLiteral("5.0"), "5", "0x5"].map(
      (value) => numberOf(value) && compareDecimals(read("5"), numberOf(value) ?? read("0")),
    ),
  ).toEqual([0, 0, 0, 0, 0]);
  expect(["1.10", "1e3", "05", true, null, []].map(numberOf)).toEqual(Array(6).fill(undefined));
});
