import { transactionSchemas } from "../../../../src/contract/requests.ts";
import { issuesOf } from "../../issues.ts";
import { envelopeXdr } from "../../xdr-envelope.ts";

const ACCOUNT = "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7";
const CONTRACT = "CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE";
const SIGNED = envelopeXdr(1);
const UNSIGNED = envelopeXdr(0);
const payment = { type: "payment", destination: ACCOUNT, amount: "10000000", asset: { type: "native" } };
const upload = { type: "upload_wasm", wasm: { hex: "0061736d" } };
const invoke = { type: "invoke_contract", contract_address: CONTRACT, function_name: "transfer", args: [{ u32: 5 }] };

const issues = (body: object) => issuesOf(transactionSchemas.stellar, JSON.stringify({ network: "testnet", ...body }));

describe("operations or an envelope", () => {
  test.each([
    { operations: [payment] },
    { operations: Array(100).fill(payment), memo: { type: "text", value: "hi" }, max_fee: 500 },
    { operations: [upload], memo: { type: "none" } },
    { operations: [invoke], source_account: ACCOUNT, valid_until: "1893456000" },
    { operations: [], transaction_xdr: UNSIGNED },
    { transaction_xdr: SIGNED, fee_bump: true, operations: null },
    { transaction_xdr: UNSIGNED, signed_auth_entry: "AAAA", fee_bump: false },
  ])("%j is accepted", (body) => expect(issues(body)).toEqual([]));

  test.each([
    [
      { operations: [payment], transaction_xdr: UNSIGNED },
      "transaction_xdr: Cannot provide both operations and transaction_xdr",
    ],
    [{}, "operations: Must provide either operations or transaction_xdr"],
    [{ operations: [] }, "operations: Must provide either operations or transaction_xdr"],
    [{ operations: [payment], fee_bump: true }, "fee_bump: Cannot request fee_bump with operations mode"],
    [
      { operations: [payment], signed_auth_entry: "AAAA" },
      "signed_auth_entry: signed_auth_entry requires transaction_xdr to be provided",
    ],
    [
      { transaction_xdr: SIGNED, signed_auth_entry: "AAAA", fee_bump: true },
      "signed_auth_entry: Cannot use both signed_auth_entry and fee_bump",
    ],
    [{ transaction_xdr: UNSIGNED, fee_bump: true }, "fee_bump: Cannot request fee_bump with unsigned XDR"],
    [{ transaction_xdr: SIGNED }, "transaction_xdr: Expected unsigned XDR but received signed XDR"],
    [{ transaction_xdr: "AAAA" }, "transaction_xdr: Invalid XDR: no transaction envelope in base64"],
    [
      { operations: Array(101).fill(payment) },
      "operations: Transaction has 101 operations, but maximum allowed is 100",
    ],
    [{ operations: [upload, invoke] }, "operations: Transaction can contain at most one Soroban operation"],
    [
      { operations: [payment, invoke] },
      "operations: Soroban operations must be exclusive - no other operations allowed in the same transaction",
    ],
    [
      { operations: [invoke], memo: { type: "id", value: 1 } },
      "memo: Soroban operations cannot have a memo (except MemoNone)",
    ],
    [{ operations: [payment], network: "" }, "network: a network name"],
    [{ operations: [payment], valid_until: "soon" }, "valid_until: RFC 3339 with a zone, or unix seconds"],
    [
      { operations: [payment], source_account: "GABC" },
      "source_account: has 4 characters; an address that begins with G has 56",
    ],
    [
      { operations: [payment], max_fee: "5" },
      "max_fee: a whole number of stroops from 0 to 9223372036854775807, without quotes",
    ],
    [{ operations: [payment], value: 1 }, ": unknown value"],
  ])("%j is refused", (body, issue) => expect(issues(body)).toEqual([issue]));
});

describe("a memo", () => {
  const hash = "0123456789abcdef".repeat(4);

  test.each([
    { type: "text", value: "é".repeat(14) },
    { type: "id", value: 7 },
    { type: "id", value: "18446744073709551615" },
    { type: "hash", value: hash },
    { type: "return", value: hash.toUpperCase() },
  ])("%j is accepted", (memo) => expect(issues({ operations: [payment], memo })).toEqual([]));

  test.each([
    [{ type: "text", value: "a".repeat(29) }, "memo.value: at most 28 bytes of UTF-8"],
    [{ type: "id", value: "18446744073709551616" }, "memo.value: a whole number from 0 to 18446744073709551615"],
    [{ type: "hash", value: Array(32).fill(1) }, "memo.value: Invalid input"],
    [{ type: "hash", value: hash.slice(2) }, "memo.value: 64 hex digits in one text"],
    [{ type: "colour" }, "memo.type: one of none, text, id, hash, return with its value"],
  ])("%j is refused", (memo, issue) => expect(issues({ operations: [payment], memo })).toEqual([issue]));
});
