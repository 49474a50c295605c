import { encodeAbiValues } from "../../../src/contract/abi/codec.ts";
import { abiSignatureItem } from "../../../src/contract/abi/item.ts";
import type { AbiValue } from "../../../src/contract/abi/type.ts";
import { type Abi, describeAbiCall, standardAbi } from "../../../src/contract/abi.ts";

const TO = "0x52908400098527886E0F7030069857D2E4169EE7";
const MAX = 2n ** 256n - 1n;
const STANDARDS = [standardAbi()];

function callOf(signature: string, ...values: AbiValue[]): string {
  const { selector, inputs } = abiSignatureItem(signature);
  return selector + encodeAbiValues(inputs, values).slice(2);
}

function linesOf(data: string, abis: readonly Abi[] = STANDARDS): string[] | undefined {
  return describeAbiCall(data, abis)?.lines;
}

const TRANSFER = callOf("transfer(address,uint256)", TO, 25n);

test("a transfer is shown whole", () =>
  expect(describeAbiCall(TRANSFER, STANDARDS)).toEqual({ lines: [`transfer(to ${TO}, amount 25)`], isWhole: true }));

test("data without a selector is not described", () =>
  expect(["0x", "0xa9059c", "a9059cbb"].map((data) => linesOf(data))).toEqual([undefined, undefined, undefined]));

test("an unknown function is shown by its selector", () =>
  expect(describeAbiCall("0x12345678", STANDARDS)).toEqual({ lines: ["unknown function 0x12345678"], isWhole: false }));

test("arguments that do not fit show no amount", () =>
  expect(describeAbiCall(TRANSFER.slice(0, -2), STANDARDS)).toEqual({
    lines: ["0xa9059cbb, as in transfer(address,uint256), but the arguments do not fit"],
    isWhole: false,
  }));

test("bytes after the arguments are mentioned, and the data is not whole", () =>
  expect(describeAbiCall(`${TRANSFER}00`, STANDARDS)).toEqual({
    lines: [`transfer(to ${TO}, amount 25) and 1 byte after the arguments`],
    isWhole: false,
  }));

test.each([
  ["approve(address,uint256)", [TO, MAX], [`approve(spender ${TO}, amountOrId unlimited (2^256-1))`]],
  [
    "approve(address,uint256)",
    [TO, MAX - 1n],
    [`approve(spender ${TO}, amountOrId practically unlimited (${MAX - 1n}))`],
  ],
  ["approve(address,uint256)", [TO, 7n], [`approve(spender ${TO}, amountOrId 7)`]],
  [
    "increaseAllowance(address,uint256)",
    [TO, MAX],
    [`increaseAllowance(spender ${TO}, addedAmount unlimited (2^256-1))`],
  ],
  ["transfer(address,uint256)", [TO, MAX], [`transfer(to ${TO}, amount ${MAX})`]],
  [
    "approve(address,address,uint160,uint48)",
    [TO, TO, 2n ** 160n - 1n, 2n ** 48n - 1n],
    [`approve(token ${TO}, spender ${TO}, amount unlimited (2^160-1), expiration ${2n ** 48n - 1n})`],
  ],
  [
    "setApprovalForAll(address,bool)",
    [TO, true],
    [
      `setApprovalForAll(operator ${TO}, approved true)`,
      "unlimited: the approved account can transfer every token of this contract",
    ],
  ],
  ["setApprovalForAll(address,bool)", [TO, false], [`setApprovalForAll(operator ${TO}, approved false)`]],
])("row %#: %s is shown with its limit", (signature, values, lines) => {
  expect(linesOf(callOf(signature, ...values))).toEqual(lines);
});

test("an unlimited permit is called unlimited, and its deadline is a number", () => {
  const zero = `0x${"0".repeat(64)}`;
  const data = callOf(
    "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
    TO,
    TO,
    MAX,
    MAX,
    27n,
    zero,
    zero,
  );
  expect(linesOf(data)?.[0]).toContain(`amount unlimited (2^256-1), deadline ${MAX}, v 27`);
});

test("the calls in a multicall are numbered, also those in a call of a Safe", () => {
  const approve = callOf("approve(address,uint256)", TO, MAX);
  const inner = callOf("multicall(bytes[])", [TRANSFER, "0x12345678", approve]);
  const data = callOf(
    "execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)",
    ...[TO, 0n, inner, 0n, 0n, 0n, 0n, TO, TO, "0x"],
  );
  expect(describeAbiCall(data, STANDARDS)).toEqual({
    lines: [
      `execTransaction(to ${TO}, value 0, data call 1, operation 0, safeTxGas 0, baseGas 0, gasPrice 0, gasToken ${TO}, refundReceiver ${TO}, signatures 0x)`,
      "call 1: multicall(data [call 1.1, 0x12345678, call 1.2])",
      `call 1.1: transfer(to ${TO}, amount 25)`,
      `call 1.2: approve(spender ${TO}, amountOrId unlimited (2^256-1))`,
    ],
    isWhole: true,
  });
});

test("the calls of Multicall3 are shown with their contracts", () => {
  const data = callOf("aggregate3((address,bool,bytes)[])", [[TO, false, TRANSFER]]);
  expect(linesOf(data)).toEqual([
    `aggregate3(calls [(target ${TO}, allowFailure false, callData call 1)])`,
    `call 1: transfer(to ${TO}, amount 25)`,
  ]);
});

test("the bytes of a transfer of a token are not shown as a call", () => {
  const data = callOf("safeTransferFrom(address,address,uint256,bytes)", TO, TO, 1n, TRANSFER);
  expect(linesOf(data)).toHaveLength(1);
});

test("functions whose selectors collide are all listed", () => {
  const other = { functions: [abiSignatureItem("collate_propagate_storage(bytes16 id)")], errors: [] };
  const data = `0x42966c68${"01".padEnd(64, "0")}`;
  expect(describeAbiCall(data, [...STANDARDS, other])).toEqual({
    lines: [`burn(amount ${1n << 248n})`, `or collate_propagate_storage(id 0x01${"0".repeat(30)})`],
    isWhole: false,
  });
});

test("more calls than can be shown are counted", () => {
  const data = callOf("multicall(bytes[])", new Array(40).fill(TRANSFER));
  const { lines = [], isWhole } = describeAbiCall(data, STANDARDS) ?? {};
  expect([lines.length, lines.at(-1), isWhole]).toEqual([25, "… and 17 lines more", false]);
});

test("calls nested in one another without end are shown to a depth", () => {
  let data = TRANSFER;
  for (let depth = 0; depth < 20; depth++) data = callOf("multicall(bytes[])", [data]);
  expect(linesOf(data)).toHaveLength(4);
});
