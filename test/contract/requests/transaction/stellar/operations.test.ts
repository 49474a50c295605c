import { operationSchema } from "../../../../../src/contract/requests/transaction/stellar/operations.ts";
import { issuesOf } from "../../../issues.ts";

const ACCOUNT = "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7";
const MUXED = "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK";
const CONTRACT = "CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE";
const HASH = "0123456789abcdef".repeat(4);

const issues = (operation: object) => issuesOf(operationSchema, JSON.stringify(operation));

describe("payment", () => {
  const payment = { type: "payment", destination: ACCOUNT, amount: "10000000", asset: { type: "native" } };

  test.each([
    {},
    { destination: MUXED },
    { amount: 5 },
    { amount: "9223372036854775807" },
    { asset: { type: "credit4", code: "USDC", issuer: ACCOUNT } },
    { asset: { type: "credit12", code: "EURMTL", issuer: ACCOUNT } },
  ])("%j is accepted", (fields) => expect(issues({ ...payment, ...fields })).toEqual([]));

  test.each([
    [{ destination: CONTRACT }, "destination: needs an account (G…) or a muxed account (M…)"],
    [
      { destination: `${ACCOUNT.slice(0, -1)}A` },
      "destination: the checksum of this address is wrong: look for a mistyped character",
    ],
    [{ amount: "9223372036854775808" }, "amount: a whole number of stroops from 0 to 9223372036854775807"],
    [{ amount: "1.5" }, "amount: a whole number of stroops from 0 to 9223372036854775807"],
    [{ amount: -1 }, "amount: a whole number of stroops from 0 to 9223372036854775807"],
    [{ asset: { type: "credit4", code: "EURMTL", issuer: ACCOUNT } }, "asset.code: 1 to 4 letters and digits"],
    [{ asset: { type: "credit12", code: "USDC", issuer: ACCOUNT } }, "asset.code: 5 to 12 letters and digits"],
    [{ asset: { type: "credit4", code: "USDC", issuer: CONTRACT } }, "asset.issuer: needs an account (G…)"],
    [{ asset: { type: "usdc" } }, "asset.type: one of native, credit4, credit12 with its code and issuer"],
    [{ memo: "x" }, ": unknown memo"],
  ])("%j is refused", (fields, issue) => expect(issues({ ...payment, ...fields })).toEqual([issue]));
});

describe("invoke_contract", () => {
  const invoke = {
    type: "invoke_contract",
    contract_address: CONTRACT,
    function_name: "transfer",
    args: [] as object[],
  };
  const args = [
    { bool: true },
    "void",
    { u64: "123" },
    { i128: { hi: 0, lo: "7" } },
    { symbol: "transfer" },
    { address: ACCOUNT },
    { vec: [{ u32: 5 }] },
    { map: [{ key: { symbol: "a" }, val: { u32: 1 } }] },
    { bytes: "00ff" },
  ];

  test.each([
    {},
    { args },
    { auth: { type: "none" } },
    { auth: { type: "source_account" } },
    { auth: { type: "xdr", entries: ["AAAA"] } },
    { auth: null },
  ])("%j is accepted", (fields) => expect(issues({ ...invoke, ...fields })).toEqual([]));

  test.each([
    [{ contract_address: ACCOUNT }, "contract_address: needs a contract (C…)"],
    [{ function_name: "with space" }, "function_name: 1 to 32 letters, digits and underscores"],
    [{ function_name: "f".repeat(33) }, "function_name: 1 to 32 letters, digits and underscores"],
    [{ args: {} }, "args: a list of values"],
    [{ args: [{ u32: 1, u64: 2 }] }, 'args.0: a contract value, e.g. {"u64":"123"} or {"symbol":"transfer"}'],
    [{ args: [{ uint32: 1 }] }, 'args.0: a contract value, e.g. {"u64":"123"} or {"symbol":"transfer"}'],
    [{ args: [5] }, 'args.0: a contract value, e.g. {"u64":"123"} or {"symbol":"transfer"}'],
    [{ auth: { type: "addresses", signers: [ACCOUNT] } }, "auth.type: Address-based auth not yet implemented"],
    [{ auth: { type: "xdr", entries: ["!"] } }, "auth.entries.0: base64"],
    [{ auth: { type: "all" } }, "auth.type: one of none, source_account, xdr with its entries"],
  ])("%j is refused", (fields, issue) => expect(issues({ ...invoke, ...fields })).toEqual([issue]));
});

describe("a contract's value", () => {
  const invoke = { type: "invoke_contract", contract_address: CONTRACT, function_name: "f" };
  const whole = String(2n ** 127n - 1n);

  test.each<[object | string]>([
    ["void"],
    [{ bool: false }],
    [{ u32: 4_294_967_295 }],
    [{ i32: -2_147_483_648 }],
    [{ u64: "18446744073709551615" }],
    [{ i64: -1 }],
    [{ i128: { hi: 0, lo: "7" } }],
    [{ i128: whole }],
    [{ u256: { hi_hi: 0, hi_lo: 0, lo_hi: 0, lo_lo: 1 } }],
    [{ bytes: "" }],
    [{ symbol: "" }],
    [{ string: "a \u2602" }],
    [{ address: ACCOUNT }],
    [{ address: CONTRACT }],
    [{ vec: [{ u32: 1 }, "void", { vec: [] }] }],
    [{ vec: null }],
    [{ map: [{ key: { symbol: "a" }, val: { i64: "-5" } }] }],
  ])("%j is accepted", (value) => expect(issues({ ...invoke, args: [value] })).toEqual([]));

  const FORM = 'a contract value, e.g. {"u64":"123"} or {"symbol":"transfer"}';
  test.each<[object | string, string]>([
    ["nothing", `: ${FORM}`],
    [{}, `: ${FORM}`],
    [{ constructor: 1 }, `: ${FORM}`],
    [{ bool: "true" }, ".bool: true or false"],
    [{ u32: 4_294_967_296 }, ".u32: a whole number of 32 bits, without quotes"],
    [{ u32: "5" }, ".u32: a whole number of 32 bits, without quotes"],
    [{ u32: -1 }, ".u32: a whole number of 32 bits, without quotes"],
    [{ i32: 2_147_483_648 }, ".i32: a whole number of 32 bits, without quotes"],
    [{ i32: "-5" }, ".i32: a whole number of 32 bits, without quotes"],
    [{ u64: "1.5" }, ".u64: a whole number of 64 bits, 0 or more"],
    [{ u64: "18446744073709551616" }, ".u64: a whole number of 64 bits, 0 or more"],
    [{ i128: { hi: 0 } }, ".i128: needs only hi, lo"],
    [{ i128: { hi: 0, lo: -1 } }, ".i128.lo: a whole number of 64 bits, 0 or more"],
    [{ i128: { hi: 0, lo: 1, more: 1 } }, ".i128: needs only hi, lo"],
    [{ i128: "x" }, ".i128: a whole number of 128 bits"],
    [{ bytes: "0" }, ".bytes: hex digits, without 0x"],
    [{ string: 5 }, ".string: a text"],
    [{ symbol: "with space" }, ".symbol: at most 32 letters, digits and underscores"],
    [{ symbol: "s".repeat(33) }, ".symbol: at most 32 letters, digits and underscores"],
    [{ address: "0x12" }, ".address: an address, e.g. G… or C…"],
    [{ vec: {} }, ".vec: a list"],
    [{ vec: [1] }, `.vec.0: ${FORM}`],
    [{ vec: [{ u32: 1 }, { vec: [{ u32: "x" }] }] }, ".vec.1.vec.0.u32: a whole number of 32 bits, without quotes"],
    [{ map: [{ key: { symbol: "a" } }] }, ".map.0: needs only key, val"],
    [{ map: [{ key: { symbol: "a" }, val: { i64: "x" } }] }, ".map.0.val.i64: a whole number of 64 bits"],
    [{ contract_instance: 1 }, ".contract_instance: an object"],
  ])("%j is rejected at its first wrong field", (value, issue) => {
    expect(issues({ ...invoke, args: [value] })).toEqual([`args.0${issue}`]);
  });
});

describe("create_contract", () => {
  const create = { type: "create_contract", source: { from: "address", address: ACCOUNT }, wasm_hash: HASH };

  test.each([
    {},
    { source: { from: "contract", contract: CONTRACT } },
    { salt: HASH, constructor_args: [{ u32: 1 }], auth: { type: "source_account" } },
    { salt: null, constructor_args: null },
  ])("%j is accepted", (fields) => expect(issues({ ...create, ...fields })).toEqual([]));

  test.each([
    [{ wasm_hash: `0x${HASH.slice(2)}` }, "wasm_hash: 64 hex digits, without 0x"],
    [{ salt: "00" }, "salt: 64 hex digits, without 0x"],
    [{ source: { from: "address", address: CONTRACT } }, "source.address: needs an account (G…)"],
    [{ source: { from: "contract", contract: ACCOUNT } }, "source.contract: needs a contract (C…)"],
    [
      { source: { address: ACCOUNT } },
      "source.from: from address with its address, or from contract with its contract",
    ],
  ])("%j is refused", (fields, issue) => expect(issues({ ...create, ...fields })).toEqual([issue]));
});

describe("upload_wasm", () => {
  test.each([{ hex: "0061736d" }, { base64: "AGFzbQ==" }])("%j is accepted", (wasm) => {
    expect(issues({ type: "upload_wasm", wasm })).toEqual([]);
  });

  test.each([
    [{ hex: "0x00" }, "wasm.hex: hex digits, without 0x"],
    [{ hex: "" }, "wasm.hex: hex digits, without 0x"],
    [{ base64: "AGF" }, "wasm.base64: base64"],
    [{ hex: "00", base64: "AA==" }, "wasm: the code as hex or as base64"],
    [{}, "wasm: the code as hex or as base64"],
  ])("%j is refused", (wasm, issue) => expect(issues({ type: "upload_wasm", wasm })).toEqual([issue]));
});

test("any other operation is rejected", () =>
  expect(issues({ type: "create_account" })).toEqual([
    "type: one of payment, invoke_contract, create_contract, upload_wasm",
  ]));
