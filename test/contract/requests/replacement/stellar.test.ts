import { replacementSchemas } from "../../../../src/contract/requests.ts";
import { issuesOf, quotesNote } from "../../issues.ts";
import { envelopeXdr } from "../../xdr-envelope.ts";

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
