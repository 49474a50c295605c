import { transactionSchemas } from "../../../../src/contract/requests.ts";
import { issuesOf } from "../../issues.ts";

const TO = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const U64 = 2n ** 64n - 1n;
const U256 = 2n ** 256n - 1n;
const issues = (fields: string) => issuesOf(transactionSchemas.evm, `{${fields}}`);
const payment = (fields: string) => issues(`"to":"${TO}","value":"0"${fields && `,${fields}`}`);

describe("value (a 64-bit integer, or a 256-bit string)", () => {
  test.each(["0", String(U64), '"0"', `"${U256}"`, '"0x10"', `"0x${"f".repeat(64)}"`])("%s is accepted", (value) => {
    expect(issues(`"to":"${TO}","speed":"fast","value":${value}`)).toEqual([]);
  });

  test.each(["-1", String(U64 + 1n), `"${U256 + 1n}"`, "1.5", "1e18", "null", '""', '"-1"', '"1eth"', '"0x"'])(
    "%s is refused",
    (value) => {
      expect(issues(`"to":"${TO}","speed":"fast","value":${value}`)).toEqual([
        "value: a whole number of wei from 0 to 2^256-1",
      ]);
    },
  );

  test("is required, even for 0", () => expect(issues(`"to":"${TO}","speed":"fast"`)).toHaveLength(1));
});

describe.each(["gas_price", "max_fee_per_gas", "max_priority_fee_per_gas"])(
  "%s is a number without quotes",
  (price) => {
    const rule = `${price}: a whole number of wei from 0 to ${U64}`;

    test.each(["-1", String(U64 + 1n), "1.5"])("%s is refused", (value) => {
      expect(payment(`"${price}":${value}`)).toEqual([rule]);
    });

    test("a number in quotes is rejected, with that hint", () =>
      expect(payment(`"${price}":"1"`)).toEqual([`${rule}, without quotes`]));
  },
);

describe("exactly one kind of price is required", () => {
  const needed = "speed: Transaction must specify either gasPrice, speed, or EIP1559 parameters";
  const mixed = "speed: Cannot mix different transaction types. Use either gasPrice, speed, or EIP1559 parameters";
  const both = "max_fee_per_gas: EIP1559 transactions require both maxFeePerGas and maxPriorityFeePerGas";

  test.each([
    '"speed":"safeLow"',
    '"gas_price":0',
    `"gas_price":${U64}`,
    '"max_fee_per_gas":2,"max_priority_fee_per_gas":2',
    '"speed":"fast","gas_price":null,"max_fee_per_gas":null',
  ])("%s is accepted", (price) => expect(payment(price)).toEqual([]));

  test.each([
    ["", [needed]],
    ['"speed":null', [needed]],
    ['"speed":"fast","gas_price":1', [mixed]],
    ['"gas_price":1,"max_fee_per_gas":2,"max_priority_fee_per_gas":1', [mixed.replace("speed", "gas_price")]],
    ['"speed":"fast","max_priority_fee_per_gas":1', [mixed, both]],
    ['"max_fee_per_gas":1', [both]],
    ['"max_priority_fee_per_gas":1', [both]],
    [
      '"max_fee_per_gas":1,"max_priority_fee_per_gas":2',
      ["max_priority_fee_per_gas: maxFeePerGas must be greater than or equal to maxPriorityFeePerGas"],
    ],
    ['"speed":"quick"', ["speed: one of fastest, fast, average, safeLow"]],
  ])("%s", (price, expected) => expect(payment(price)).toEqual(expected));
});

describe("gas below the intrinsic gas is rejected", () => {
  const least = (gas: bigint) =>
    `gas_limit: gas_limit is too low, intrinsic gas is ${gas} and gas_limit is ${gas - 1n}`;

  test.each([
    ["a payment", `"to":"${TO}"`, 21_000n],
    ["two bytes of data, one of them zero", `"to":"${TO}","data":"0x00ff"`, 21_020n],
    ["a contract's creation", '"data":"0x60"', 53_016n],
  ])("%s", (_, fields, gas) => {
    const all = (limit: bigint) => `${fields},"value":0,"speed":"fast","gas_limit":${limit}`;
    expect(issues(all(gas))).toEqual([]);
    expect(issues(all(gas - 1n))).toEqual([least(gas)]);
  });

  test("unless there is no gas limit", () => expect(payment('"speed":"fast","gas_limit":null')).toEqual([]));
});

describe("the other fields", () => {
  test("require a receiver or data", () => {
    expect(issues('"value":0,"speed":"fast"')).toEqual([
      "to: Both txs `to` and `data` fields are missing. At least one of them has to be set.",
    ]);
    expect(issues('"value":0,"speed":"fast","data":"0x"')).toEqual([]);
  });

  test.each([
    ['"data":"beef"', "data: needs 0x and hex digits"],
    ['"gas_limit":-1', `gas_limit: a whole number from 0 to ${U64}`],
    [
      '"valid_until":"tomorrow"',
      "valid_until: Invalid validUntil datetime format: RFC 3339 with a zone, e.g. 2026-01-31T12:00:00Z",
    ],
    ['"gasLimit":21000', ": unknown gasLimit"],
    ['"network":"mainnet"', ": unknown network"],
  ])("%s is refused", (field, issue) => expect(payment(`"speed":"fast",${field}`)).toEqual([issue]));

  test("a receiver with a wrong checksum is rejected, since the service would block its nonces", () =>
    expect(issues(`"to":"${TO.slice(0, -1)}D","value":0,"speed":"fast"`)).toEqual([
      "to: the checksum of this address is wrong: look for a mistyped digit",
    ]));
});
