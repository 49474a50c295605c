import type { JsonObject } from "../../../src/contract/json.ts";
import { relayerRules } from "../../../src/contract/relayer-rules.ts";

const OWN = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const LISTED = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const OTHER = "0x1111111111111111111111111111111111111111";

const broken = (body: JsonObject, policies?: JsonObject) =>
  relayerRules
    .evm(body, { id: "r", address: OWN, ...(policies && { policies }) })
    .map(({ path, rule }) => `${path}: ${rule}`);

describe("whitelist_receivers", () => {
  const refused = ["to: Transaction target address is not whitelisted"];

  test("if unset, every receiver is allowed", () => {
    expect(broken({ to: OTHER })).toEqual([]);
    expect(broken({ to: OTHER }, { whitelist_receivers: null })).toEqual([]);
    expect(broken({}, {})).toEqual([]);
  });

  test.each([LISTED.toLowerCase(), OWN.toUpperCase().replace("X", "x"), `0x${"0".repeat(40)}`])("%s is allowed", (to) =>
    expect(broken({ to }, { whitelist_receivers: [LISTED] })).toEqual([]),
  );

  test("other receivers and new contracts are not allowed", () => {
    expect(broken({ to: OTHER }, { whitelist_receivers: [LISTED] })).toEqual(refused);
    expect(broken({ to: LISTED }, { whitelist_receivers: [] })).toEqual(refused);
    expect(broken({ data: "0x60" }, { whitelist_receivers: [LISTED] })).toEqual(refused);
  });
});

test("an error lists what is allowed: the first receivers, and the cap", () => {
  const list = [LISTED, OTHER, LISTED, OTHER, OTHER];
  const policies = { whitelist_receivers: list, gas_price_cap: "80000000000" };
  const body = { to: `0x${"2".repeat(40)}`, gas_price: 80_000_000_001 };
  expect(relayerRules.evm(body, { id: "r", address: OWN, policies }).map(({ allowed }) => allowed)).toEqual([
    `allowed: the relayer itself, the zero address, ${LISTED}, ${OTHER}, ${LISTED}, 2 more`,
    "the relayer's cap is 80 gwei",
  ]);
});

describe("the other policies", () => {
  test("a gas limit is required without estimation", () => {
    const policies = { gas_limit_estimation: false };
    expect(broken({ to: OTHER, gas_limit: 21_000 }, policies)).toEqual([]);
    expect(broken({ to: OTHER, gas_limit: null }, policies)).toEqual([
      "gas_limit: gas_limit is required when gas_limit_estimation policy is disabled",
    ]);
  });

  test.each([5, 2n + 3n, "5"])(
    "a gas price above the cap of %s is rejected, but not one at the cap",
    (gas_price_cap) => {
      expect(broken({ gas_price: 5 }, { gas_price_cap })).toEqual([]);
      expect(broken({ gas_price: 6 }, { gas_price_cap })).toEqual(["gas_price: Gas price is too high"]);
      expect(broken({ max_fee_per_gas: 6 }, { gas_price_cap })).toEqual([]);
    },
  );
});
