import { encodeAbiValues } from "../../../src/contract/abi/codec.ts";
import { abiSignatureItem } from "../../../src/contract/abi/item.ts";
import { abiDecodedText, decodeAbiCall, decodeAbiRevert, readAbi, standardAbi } from "../../../src/contract/abi.ts";

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
