import { didYouMean, nearestChoice, nearestName, oneOf } from "../src/nearest.ts";

const SPEEDS = ["fastest", "fast", "average", "safeLow"];
const FORMATS = ["table", "json", "ndjson", "yaml", "csv"];

test.each([
  ["fst", SPEEDS, "fast"],
  ["SAFELOW", SPEEDS, "safeLow"],
  ["fastets", SPEEDS, "fastest"],
  ["avg", SPEEDS, undefined],
  ["aver", SPEEDS, "average"],
  ["jsno", FORMATS, "json"],
  ["xml", FORMATS, undefined],
  ["y", FORMATS, undefined],
  ["", FORMATS, undefined],
  ["gas-price-cap", ["gas_price_cap", "min_balance"], "gas_price_cap"],
  ["gas_price_cap", ["name", "policies.gas_price_cap"], "policies.gas_price_cap"],
  ["gas_price", ["min_balance", "gas_price_cap"], "gas_price_cap"],
])("the nearest known word to %s in %j is %s", (given, known, meant) => expect(nearestName(given, known)).toBe(meant));

describe("an unknown word", () => {
  test("is reported with the allowed words and the nearest one", () => {
    expect(oneOf("fst", SPEEDS)).toBe("one of fastest, fast, average, safeLow (did you mean fast?)");
    expect(oneOf("quick", SPEEDS)).toBe("one of fastest, fast, average, safeLow");
    expect(oneOf("email", ["webhook"])).toBe("only webhook");
  });

  test("is reported with all known words if they are few, otherwise with the three closest", () => {
    expect(nearestChoice(["fst"], SPEEDS)).toBe(" (did you mean fast?); known: fastest, fast, average, safeLow");
    const many = ["id", "name", "state", "policies.name_of_state", "a.b.status", ..."abcdefgh"];
    expect(nearestChoice(["stat"], many)).toBe("; closest: state, a.b.status, policies.name_of_state");
    expect(nearestChoice([""], many)).toMatch(/^; closest: \w+, \w+, \w+$/);
  });

  test("is reported once with other unknown words", () =>
    expect(didYouMean(["nmae", "zzz", "pausd"], ["id", "name", "paused"])).toBe(" (did you mean name, paused?)"));
});
