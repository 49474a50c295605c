import { type JsonValue, NumberLiteral } from "../../../src/contract/json.ts";
import { capIn, capLeaps, capRisks } from "../../../src/contract/policy/cap-change.ts";

const GWEI = 10n ** 9n;
const capped = (gas_price_cap: JsonValue) => ({ policies: { gas_price_cap } });

describe("a gas price cap changes a thousandfold", () => {
  test.each<[JsonValue, JsonValue]>([
    [80n * GWEI, 80],
    [80n * GWEI, 80_000_000],
    [80_000_000, 80n * GWEI],
    ["80000000000", "0x50"],
    [2n ** 128n - 1n, GWEI],
    [80n * GWEI, 0],
    [0, 1],
  ])("from %s to %s", (was, now) => {
    expect(capLeaps(was, now)).toBe(true);
    expect(capRisks(capped(now), capped(was))).toHaveLength(1);
  });

  test.each<[JsonValue | undefined, JsonValue | undefined]>([
    [80n * GWEI, 80_000_001],
    [80_000_001, 80n * GWEI],
    [80n * GWEI, 120n * GWEI],
    [80n * GWEI, "80000000000"],
    [0, 0],
    [undefined, 5],
    [null, 5],
    [5, null],
    [5, undefined],
  ])("but not from %s to %s", (was, now) => expect(capLeaps(was, now)).toBe(false));
});

describe("a patch must be agreed to", () => {
  test.each<[string, JsonValue | undefined, JsonValue | undefined, string[]]>([
    [
      "a fall",
      capped(80),
      capped(80n * GWEI),
      ["gas_price_cap falls to a thousandth or less: 80 gwei → 0.00000008 gwei"],
    ],
    [
      "a rise",
      capped(5n * 10n ** 12n),
      capped(GWEI),
      ["gas_price_cap rises a thousandfold or more: 1 gwei → 5000 gwei"],
    ],
    [
      "an unknown live value",
      capped(80),
      undefined,
      ["the live gas_price_cap could not be read, to compare it with 0.00000008 gwei"],
    ],
    [
      "an invalid value",
      capped(new NumberLiteral("8e1")),
      capped(80n * GWEI),
      ["gas_price_cap can't be compared with the live value: 80 gwei → a value that is not an amount"],
    ],
    [
      "an invalid live value",
      capped(80),
      capped("much"),
      ["gas_price_cap can't be compared with the live value: a value that is not an amount → 0.00000008 gwei"],
    ],
  ])("for %s", (_, patch, before, words) => expect(capRisks(patch, before)).toEqual(words));

  test.each<[string, JsonValue | undefined, JsonValue | undefined]>([
    ["a cap that was not set", capped(80), { policies: {} }],
    ["a relayer without policies", capped(80), { policies: null }],
    ["a cleared cap", capped(null), capped(80n * GWEI)],
    ["another policy", { policies: { min_balance: 5 } }, undefined],
    ["no policy", { paused: true }, undefined],
    ["policies of another type", { policies: "all" }, undefined],
    ["a list", [], undefined],
    ["nothing", undefined, undefined],
  ])("but not for %s", (_, patch, before) => expect(capRisks(patch, before)).toEqual([]));

  test("a cap of 0 counts as a cap", () => expect(capIn(capped(0))).toBe(0));
});
