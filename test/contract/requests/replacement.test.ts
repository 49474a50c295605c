import { memoSchema } from "../../../src/contract/requests/transaction/stellar/fields.ts";
import { replacementSchemas } from "../../../src/contract/requests.ts";
import { issuesOf, quotesNote } from "../issues.ts";
import { envelopeXdr } from "../xdr-envelope.ts";

describe("an EVM replacement", () => {
  const issues = (body: string) => issuesOf(replacementSchemas.evm, body);
  const INT64 = 2n ** 63n - 1n;
  const U128 = 2n ** 128n - 1n;
  const TO = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

  describe("value (u128, required)", () => {
    test.each([0n, 1n, 2n ** 64n, U128])("%s is accepted", (value) => expect(issues(`{"value":${value}}`)).toEqual([]));

    test.each(["-1", String(U128 + 1n), "1.5", "1e18", '"5"', "null"])("%s is refused", (value) => {
      expect(issues(`{"value":${value}}`)).toEqual([`value: a whole number from 0 to ${U128}${quotesNote(value)}`]);
    });

    test("a missing value is rejected", () =>
      expect(issues("{}")).toEqual([`value: a whole number from 0 to ${U128}`]));
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
});

describe("a Stellar replacement", () => {
  const issues = (fields: string) => issuesOf(replacementSchemas.stellar, `{"network":"testnet",${fields}}`);
  const INT64 = 2n ** 63n - 1n;
  const SIGNED = envelopeXdr(1);
  const UNSIGNED = envelopeXdr(0);

  test("network is required", () => {
    expect(issuesOf(replacementSchemas.stellar, '{"operations":[]}')).toHaveLength(1);
    expect(issuesOf(replacementSchemas.stellar, '{"network":""}')).toEqual(["network: a network name"]);
  });

  test("every other field may be null or absent", () => {
    const names = ["source_account", "operations", "transaction_xdr", "memo", "valid_until", "fee_bump", "max_fee"];
    expect(issues(names.map((name) => `"${name}":null`).join())).toEqual([]);
    expect(issuesOf(replacementSchemas.stellar, '{"network":"testnet"}')).toEqual([]);
  });

  test("operations are passed on unchanged", () => {
    expect(issues('"operations":[{"type":"payment","amount":"5","asset":{"type":"native"}}]')).toEqual([]);
    expect(issues('"operations":[5]')).toHaveLength(1);
    expect(issues('"operations":{}')).toEqual(["operations: a list of operations"]);
  });

  test.each([`"operations":[{}]`, `"operations":[]`])("%s and transaction_xdr exclude each other", (operations) => {
    expect(issues(`${operations},"transaction_xdr":"${UNSIGNED}"`)).toEqual([
      "transaction_xdr: Cannot provide both operations and transaction_xdr",
    ]);
    expect(issues(`${operations},"transaction_xdr":null`)).toEqual([]);
  });

  describe("fee_bump requires a signed transaction_xdr", () => {
    test.each([`"fee_bump":true,"transaction_xdr":"${SIGNED}"`, `"fee_bump":false`, `"transaction_xdr":"${SIGNED}"`])(
      "%s is accepted",
      (fields) => expect(issues(fields)).toEqual([]),
    );

    test.each([
      ['"fee_bump":true', "fee_bump: needs a signed transaction_xdr"],
      ['"fee_bump":true,"operations":[{}]', "fee_bump: Cannot request fee_bump with operations mode"],
      [`"fee_bump":true,"transaction_xdr":"${UNSIGNED}"`, "fee_bump: Cannot request fee_bump with unsigned XDR"],
      ['"transaction_xdr":"AAAAA"', "transaction_xdr: base64 of a transaction"],
    ])("%s is refused", (fields, issue) => expect(issues(fields)).toEqual([issue]));
  });

  describe("max_fee (int64, stroops)", () => {
    test.each(["0", "1000000", String(INT64)])("%s is accepted", (value) => {
      expect(issues(`"max_fee":${value}`)).toEqual([]);
    });

    test.each(["-1", String(INT64 + 1n), '"5"', "1.5"])("%s is refused", (value) => {
      const rule = `a whole number of stroops from 0 to ${INT64}${quotesNote(value)}`;
      expect(issues(`"max_fee":${value}`)).toEqual([`max_fee: ${rule}`]);
    });
  });

  test("valid_until is RFC 3339 or Unix seconds", () => {
    expect(issues('"valid_until":"2027-01-31T12:00:00+02:00"')).toEqual([]);
    expect(issues('"valid_until":"1801396800"')).toEqual([]);
    expect(issues('"valid_until":"soon"')).toEqual(["valid_until: RFC 3339 with a zone, or unix seconds"]);
  });

  test("a field of another network type is rejected", () => expect(issues('"value":1')).toEqual([": unknown value"]));
});

describe("a Stellar memo", () => {
  const INT64 = 2n ** 63n - 1n;
  const bytes = (length: number, byte = 255) => JSON.stringify(Array(length).fill(byte));

  test.each([
    '{"type":"none"}',
    '{"type":"text","value":""}',
    `{"type":"text","value":"${"a".repeat(28)}"}`,
    `{"type":"text","value":"${"é".repeat(14)}"}`,
    '{"type":"id","value":0}',
    `{"type":"id","value":${INT64}}`,
    `{"type":"hash","value":${bytes(32)}}`,
    `{"type":"return","value":${bytes(32, 0)}}`,
  ])("%s is accepted", (memo) => expect(issuesOf(memoSchema, memo)).toEqual([]));

  test.each([
    ['{"type":"text","value":5}', /^value: /],
    [`{"type":"text","value":"${"a".repeat(29)}"}`, /at most 28 bytes of UTF-8/],
    [`{"type":"text","value":"${"é".repeat(15)}"}`, /at most 28 bytes of UTF-8/],
    ['{"type":"id","value":-1}', /a whole number from 0 to 9223372036854775807/],
    [`{"type":"id","value":${INT64 + 1n}}`, /a whole number from 0 to/],
    ['{"type":"id","value":"5"}', /a whole number from 0 to/],
    ['{"type":"id"}', /^value: /],
    [`{"type":"hash","value":${bytes(31)}}`, /32 integers from 0 to 255/],
    [`{"type":"hash","value":${bytes(33)}}`, /32 integers from 0 to 255/],
    [`{"type":"return","value":${bytes(32, 256)}}`, /a whole number from 0 to 255/],
    [`{"type":"hash","value":"${"ab".repeat(32)}"}`, /^value: /],
    ['{"type":"none","value":1}', /unknown value$/],
    ['{"type":"colour","value":1}', /one of none, text, id, hash, return/],
    ["{}", /one of none, text, id, hash, return/],
    ['"none"', /one of none/],
  ])("%s is refused", (memo, issue) => expect(issuesOf(memoSchema, memo)[0]).toMatch(issue));
});
