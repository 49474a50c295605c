import { encodeAbiValues } from "../../../src/contract/abi/codec.ts";
import { abiSignatureItem } from "../../../src/contract/abi/item.ts";
import type { AbiValue } from "../../../src/contract/abi/type.ts";
import {
  type Abi,
  abiDecodedText,
  decodeAbiCall,
  decodeAbiRevert,
  describeAbiCall,
  readAbi,
  standardAbi,
} from "../../../src/contract/abi.ts";

/** Bytes of several words, written one a line. */
function words(...lines: string[]): string {
  return lines.join("").replaceAll(/\s/g, "");
}

const word = (hex: string) => hex.padStart(64, "0");
const left = (hex: string) => hex.padEnd(64, "0");

const MAX = 2n ** 256n - 1n;

/** The examples of the ABI specification, with its bytes. */
const SPECIFICATION: [string, string, unknown[]][] = [
  ["baz(uint32,bool)", words("0xcdcd77c0", word("45"), word("1")), [69n, true]],
  ["bar(bytes3[2])", words("0xfce353f6", left("616263"), left("646566")), [["0x616263", "0x646566"]]],
  [
    "sam(bytes,bool,uint256[])",
    words(
      "0xa5643bf2",
      word("60"),
      word("1"),
      word("a0"),
      word("4"),
      left("64617665"),
      word("3"),
      word("1"),
      word("2"),
      word("3"),
    ),
    ["0x64617665", true, [1n, 2n, 3n]],
  ],
  [
    "f(uint256,uint32[],bytes10,bytes)",
    words(
      "0x8be65246",
      word("123"),
      word("80"),
      left("31323334353637383930"),
      word("e0"),
      word("2"),
      word("456"),
      word("789"),
      word("d"),
      left("48656c6c6f2c20776f726c6421"),
    ),
    [0x123n, [0x456n, 0x789n], "0x31323334353637383930", "0x48656c6c6f2c20776f726c6421"],
  ],
  [
    "g(uint256[][],string[])",
    words(
      "0x2289b18c",
      word("40"),
      word("140"),
      word("2"),
      word("40"),
      word("a0"),
      word("2"),
      word("1"),
      word("2"),
      word("1"),
      word("3"),
      word("3"),
      word("60"),
      word("a0"),
      word("e0"),
      word("3"),
      left("6f6e65"),
      word("3"),
      left("74776f"),
      word("5"),
      left("7468726565"),
    ),
    [
      [[1n, 2n], [3n]],
      ["one", "two", "three"],
    ],
  ],
];

test.each(SPECIFICATION)("%s of the ABI specification is encoded and decoded", (signature, data, args) => {
  const item = abiSignatureItem(signature);
  expect(item.selector + encodeAbiValues(item.inputs, args as never).slice(2)).toBe(data);
  expect(decodeAbiCall(data, [{ functions: [item], errors: [] }])).toEqual([{ item, args, trailing: 0 }]);
});

/** Selectors as published by the standards, and in the contracts' verified sources. */
const SELECTORS = `
a9059cbb 23b872dd 095ea7b3 39509351 a457c2d7 40c10f19 42966c68 79cc6790 d505accf 8fcbaf0c e3ee160e d0e30db0 2e1a7d4d
42842e0e b88d4fde a22cb465 f242432a 2eb2c2d6 6e553f65 94bf804d b460af94 ba087652 87517c45 2b67b570 36c78516
ac9650d8 5ae401dc 1f0464d1 252dba42 bce38bd7 82ad56cb 174dea71 6a761202 b61d27f6
f2fde38b 715018a6 79ba5097 2f2ff15d d547741f 36568abe 3659cfe6 4f1ef286 8456cb59 3f4ba83a`;

test("the selectors of well-known functions are those that are published", () => {
  const selectors = standardAbi().functions.map(({ selector }) => selector.slice(2));
  expect(selectors).toEqual(SELECTORS.trim().split(/\s+/));
});

test("the selectors of well-known errors are those that are published", () => {
  const selectors = new Map(standardAbi().errors.map(({ name, selector }) => [name, selector]));
  expect(Object.fromEntries(selectors)).toMatchObject({
    ERC20InsufficientBalance: "0xe450d38c",
    ERC20InsufficientAllowance: "0xfb8f41b2",
    ERC20InvalidSender: "0x96c6fd1e",
    ERC20InvalidReceiver: "0xec442f05",
    ERC721NonexistentToken: "0x7e273289",
    OwnableUnauthorizedAccount: "0x118cdaa7",
    AccessControlUnauthorizedAccount: "0xe2517d3f",
    EnforcedPause: "0xd93c0665",
    ReentrancyGuardReentrantCall: "0x3ee5aeb5",
    SafeERC20FailedOperation: "0x5274afe7",
    InsufficientBalance: "0xcf479181",
    FailedCall: "0xd6bda275",
  });
});

const TRANSFER = words("0xa9059cbb", word("8ba1f109551bd432803012645ac136ddd64dba72"), word("de0b6b3a7640000"));

function shown(data: string): string[] {
  return decodeAbiCall(data, [standardAbi()]).map((each) => abiDecodedText(each));
}

test("a transfer is shown with its receiver and the exact amount", () => {
  expect(shown(TRANSFER)).toEqual([
    "transfer(to 0x8ba1f109551bD432803012645Ac136ddd64DBA72, amount 1000000000000000000)",
  ]);
  expect(shown(TRANSFER.toUpperCase().replace("0X", "0x"))).toHaveLength(1);
});

test("bytes after the arguments are counted", () =>
  expect(decodeAbiCall(`${TRANSFER}c0ffee`, [standardAbi()])).toMatchObject([{ trailing: 3 }]));

test.each([
  ["the selector alone", TRANSFER.slice(0, 10)],
  ["less than a selector", "0xa905"],
  ["nothing", "0x"],
  ["an odd number of digits", `${TRANSFER}0`],
  ["a text that is not hex", `${TRANSFER.slice(0, -2)}zz`],
  ["an argument that is cut off", TRANSFER.slice(0, -2)],
  [
    "an address with dirty upper bytes",
    TRANSFER.replace(word("8ba1f109551bd432803012645ac136ddd64dba72"), "f".repeat(64)),
  ],
  ["a boolean of 2", words("0xa22cb465", word("1"), word("2"))],
  ["an unknown selector", words("0x12345678", word("1"))],
])("%s is not decoded", (_, data) => expect(decodeAbiCall(data, [standardAbi()])).toEqual([]));

test("functions whose selectors collide are all returned, and each signature once", () => {
  // Both selectors are 0x42966c68, a collision that is published.
  const collides = { functions: [abiSignatureItem("collate_propagate_storage(bytes16)")], errors: [] };
  const found = decodeAbiCall(words("0x42966c68", left("01")), [standardAbi(), standardAbi(), collides]);
  expect(found.map(({ item }) => item.signature)).toEqual(["burn(uint256)", "collate_propagate_storage(bytes16)"]);
});

test("an ABI has precedence over a standard with the same signature", () => {
  const own = readAbi([
    {
      type: "function",
      name: "transfer",
      inputs: [
        { name: "dst", type: "address" },
        { name: "wad", type: "uint256" },
      ],
    },
  ]);
  const [decoded] = decodeAbiCall(TRANSFER, [standardAbi(), own]);
  expect(decoded && abiDecodedText(decoded)).toBe(
    "transfer(dst 0x8ba1f109551bD432803012645Ac136ddd64DBA72, wad 1000000000000000000)",
  );
});

test("a custom error is decoded by an ABI", () => {
  const abi = readAbi({
    abi: [{ type: "error", name: "InsufficientBalance", inputs: [uint("free"), uint("required")] }],
  });
  const [found] = decodeAbiRevert(words("0xcf479181", word("5"), "f".repeat(64)), [abi]);
  expect(found && abiDecodedText(found)).toBe(`InsufficientBalance(free ${5}, required ${MAX})`);
});

function uint(name: string) {
  return { name, type: "uint256" };
}

test("text in arguments can neither act on a terminal nor end its quotes", () => {
  const item = abiSignatureItem("note(string text)");
  const hostile = '\u001b[31m\u202e\n\u200b", amount 1 \\';
  const data = item.selector + encodeAbiValues(item.inputs, [hostile]).slice(2);
  expect(decodeAbiCall(data, [{ functions: [item], errors: [] }]).map((each) => abiDecodedText(each))).toEqual([
    'note(text "\\u{1b}[31m\\u{202e}\\u{a}\\u{200b}\\", amount 1 \\\\")',
  ]);
});

test("text that is not UTF-8 is not decoded", () => {
  const item = abiSignatureItem("note(string)");
  const data = words(item.selector, word("20"), word("2"), left("c328"));
  expect(decodeAbiCall(data, [{ functions: [item], errors: [] }])).toEqual([]);
});

describe("the description of a call", () => {
  const TO = "0x52908400098527886E0F7030069857D2E4169EE7";
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
    expect(describeAbiCall("0x12345678", STANDARDS)).toEqual({
      lines: ["unknown function 0x12345678"],
      isWhole: false,
    }));

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
    expect([lines.length, lines.at(-1), isWhole]).toEqual([25, "… and 17 more lines", false]);
  });

  test("calls nested in one another without end are shown to a depth", () => {
    let data = TRANSFER;
    for (let depth = 0; depth < 20; depth++) data = callOf("multicall(bytes[])", [data]);
    expect(linesOf(data)).toHaveLength(4);
  });
});
