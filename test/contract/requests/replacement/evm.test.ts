import { replacementSchemas } from "../../../../src/contract/requests.ts";
import { issuesOf, quotesNote } from "../../issues.ts";

const issues = (body: string) => issuesOf(replacementSchemas.evm, body);
const INT64 = 2n ** 63n - 1n;
const U128 = 2n ** 128n - 1n;
const TO = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

describe("value (u128, required)", () => {
  test.each([0n, 1n, 2n ** 64n, U128])("%s is accepted", (value) => expect(issues(`{"value":${value}}`)).toEqual([]));

  test.each(["-1", String(U128 + 1n), "1.5", "1e18", '"5"', "null"])("%s is refused", (value) => {
    expect(issues(`{"value":${value}}`)).toEqual([`value: a whole number from 0 to ${U128}${quotesNote(value)}`]);
  });

  test("a missing value is rejected", () => expect(issues("{}")).toEqual([`value: a whole number from 0 to ${U128}`]));
});

describe("gas_limit (int64, >= 0, or null)", () => {
  test.each(["null", "0", String(INT64)])("%s is accepted", (value) => {
    expect(issues(`{"value":0,"gas_limit":${value}}`)).toEqual([]);
  });

  test.each(["-1", String(INT64 + 1n), "1.0", '"21000"'])("%s is refused", (value) => {
    const rule = `a whole number from 0 to ${INT64}${quotesNote(value)}`;
    expect(issues(`{"value":0,"gas_limit":${value}}`)).toEqual([`gas_limit: ${rule}`]);
  });
});

describe.each(["gas_price", "max_fee_per_gas", "max_priority_fee_per_gas"])("%s (integer, >= 0)", (price) => {
  test.each(["0", "1", String(2n ** 64n), String(U128)])("%s is accepted", (value) => {
    expect(issues(`{"value":0,"${price}":${value}}`)).toEqual([]);
  });

  test.each(["-1", String(U128 + 1n), "null", '"1"', "1.5"])("%s is refused", (value) => {
    const rule = `a whole number of wei from 0 to ${U128}${quotesNote(value)}`;
    expect(issues(`{"value":0,"${price}":${value}}`)).toEqual([`${price}: ${rule}`]);
  });
});

describe("prices together", () => {
  test("a legacy price along with the others is rejected", () =>
    expect(issues('{"value":0,"gas_price":1,"max_fee_per_gas":2}')).toEqual([
      "gas_price: Cannot mix different transaction types. Use either gasPrice, speed, or EIP1559 parameters",
    ]));

  test.each(["gas_price", "max_fee_per_gas"])("a speed along with %s is rejected", (price) => {
    expect(issues(`{"value":0,"speed":"fast","${price}":1}`)).toEqual([
      "speed: Cannot mix different transaction types. Use either gasPrice, speed, or EIP1559 parameters",
    ]);
  });

  test("a tip above the fee is rejected, but not an equal tip", () => {
    const prices = (fee: bigint, tip: bigint) =>
      `{"value":0,"max_fee_per_gas":${fee},"max_priority_fee_per_gas":${tip}}`;
    expect(issues(prices(U128, U128))).toEqual([]);
    expect(issues(prices(U128 - 1n, U128))).toEqual([
      "max_priority_fee_per_gas: maxFeePerGas must be greater than or equal to maxPriorityFeePerGas",
    ]);
  });
});

describe("the other fields", () => {
  test("are accepted together", () => {
    const body = `{"value":5,"to":"${TO}","data":"0xdeadbeef","gas_limit":21000,"speed":"safeLow","valid_until":"2027-01-31T12:00:00Z"}`;
    expect(issues(body)).toEqual([]);
  });

  test.each(["fastest", "fast", "average", "safeLow"])("speed %s", (speed) => {
    expect(issues(`{"value":0,"speed":"${speed}"}`)).toEqual([]);
  });

  test.each([
    ['"speed":"quick"', "speed: one of fastest, fast, average, safeLow"],
    ['"speed":"safelow"', "speed: one of fastest, fast, average, safeLow"],
    ['"to":"0x12"', "to: an address has 40 hex digits, this one has 2"],
    [
      '"to":"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD"',
      "to: the checksum of this address is wrong: look for a mistyped digit",
    ],
    ['"data":"deadbeef"', "data: needs 0x and hex digits"],
    [
      '"valid_until":"tomorrow"',
      "valid_until: Invalid validUntil datetime format: RFC 3339 with a zone, e.g. 2026-01-31T12:00:00Z",
    ],
    [
      '"valid_until":"2027-01-31T12:00:00"',
      "valid_until: Invalid validUntil datetime format: RFC 3339 with a zone, e.g. 2026-01-31T12:00:00Z",
    ],
    [
      '"valid_until":"2027-13-31T12:00:00Z"',
      "valid_until: Invalid validUntil datetime format: RFC 3339 with a zone, e.g. 2026-01-31T12:00:00Z",
    ],
    ['"gasLimit":1', ": unknown gasLimit"],
    ['"network":"testnet"', ": unknown network"],
  ])("%s is refused", (field, issue) => expect(issues(`{"value":0,${field}}`)).toEqual([issue]));

  test("all errors are reported at once", () =>
    expect(issues('{"value":-1,"speed":"quick","to":"0x12","gas_limit":-1}')).toHaveLength(4));
});
