import fc from "fast-check";
import { encodeAbiValues } from "../../../src/contract/abi/codec.ts";
import { type AbiItem, abiSignatureItem } from "../../../src/contract/abi/item.ts";
import { type AbiType, type AbiValue, abiTypeText } from "../../../src/contract/abi/type.ts";
import { abiDecodedText, decodeAbiCall, describeAbiCall, readAbi, standardAbi } from "../../../src/contract/abi.ts";
import { anyCharacter } from "../../helpers/any-character.ts";
import { runs } from "../../helpers/deep.ts";

interface Typed {
  type: AbiType;
  value: fc.Arbitrary<AbiValue>;
}

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((each) => `0x${Buffer.from(each).toString("hex")}`);

const WIDTHS = fc.integer({ min: 1, max: 32 });
const scalars: fc.Arbitrary<Typed> = fc.oneof(
  WIDTHS.map(
    (width): Typed => ({ type: { kind: "uint", bits: 8 * width }, value: fc.bigInt(0n, 2n ** BigInt(8 * width) - 1n) }),
  ),
  WIDTHS.map((width): Typed => {
    const half = 2n ** BigInt(8 * width - 1);
    return { type: { kind: "int", bits: 8 * width }, value: fc.bigInt(-half, half - 1n) };
  }),
  WIDTHS.map((size): Typed => ({ type: { kind: "bytes", size }, value: hex(size) })),
  fc.constantFrom<Typed>(
    { type: { kind: "bool" }, value: fc.boolean() },
    { type: { kind: "address" }, value: hex(20) },
    {
      type: { kind: "string" },
      value: fc.string({ unit: anyCharacter }).filter((text) => text.isWellFormed() && !text.startsWith("\ufeff")),
    },
    { type: { kind: "bytes" }, value: fc.integer({ min: 0, max: 70 }).chain(hex) },
  ),
);

function typesOf(depth: number): fc.Arbitrary<Typed> {
  if (depth === 0) return scalars;
  const inner = typesOf(depth - 1);
  return fc.oneof(
    scalars,
    inner.map(
      ({ type: item, value }): Typed => ({ type: { kind: "array", item }, value: fc.array(value, { maxLength: 3 }) }),
    ),
    fc.tuple(inner, fc.integer({ min: 1, max: 3 })).map(
      ([{ type: item, value }, length]): Typed => ({
        type: { kind: "array", item, length },
        value: fc.array(value, { minLength: length, maxLength: length }),
      }),
    ),
    fc.array(inner, { minLength: 1, maxLength: 3 }).map(
      (members): Typed => ({
        type: { kind: "tuple", members: members.map(({ type }, index) => ({ name: `m${index}`, type })) },
        value: fc.tuple(...members.map(({ value }) => value)),
      }),
    ),
  );
}

const calls = fc.array(typesOf(4), { maxLength: 4 }).chain((typed) =>
  fc.tuple(...typed.map(({ value }) => value)).map((values) => ({
    item: abiSignatureItem(`f(${typed.map(({ type }) => abiTypeText(type)).join(",")})`),
    values,
  })),
);

const RUNS = runs(100, 8_000);

/** Addresses are decoded with their checksum. */
function lower(value: AbiValue): unknown {
  if (typeof value === "object") return value.map(lower);
  return typeof value === "string" && /^0x[0-9a-f]{40}$/i.test(value) ? value.toLowerCase() : value;
}

const dataOf = (item: AbiItem, values: readonly AbiValue[]) =>
  item.selector + encodeAbiValues(item.inputs, values).slice(2);

test("what is encoded is decoded to the same values, for types nested to any shape", () => {
  fc.assert(
    fc.property(calls, ({ item, values }) => {
      const [found] = decodeAbiCall(dataOf(item, values), [{ functions: [item], errors: [] }]);
      expect(found?.args.map(lower)).toEqual(values.map(lower));
      expect(found?.trailing).toBe(0);
    }),
    RUNS,
  );
});

test("data with a changed byte is decoded to other values, or not at all", () => {
  fc.assert(
    fc.property(calls, fc.nat(), fc.integer({ min: 1, max: 255 }), ({ item, values }, at, change) => {
      const bytes = Buffer.from(dataOf(item, values).slice(2), "hex");
      if (bytes.length === 4) return;
      const index = 4 + (at % (bytes.length - 4));
      bytes[index] = (bytes[index] ?? 0) ^ change;
      for (const { args, trailing } of decodeAbiCall(`0x${bytes.toString("hex")}`, [
        { functions: [item], errors: [] },
      ])) {
        expect(args.map(lower)).not.toEqual(values.map(lower));
        expect(dataOf(item, args).length + 2 * trailing).toBe(2 + 2 * bytes.length);
      }
    }),
    RUNS,
  );
});

test("any bytes after any known selector are described, on lines that cannot act on a terminal", () => {
  const abis = [standardAbi()];
  const selectors = abis.flatMap(({ functions }) => functions.map(({ selector }) => selector));
  fc.assert(
    fc.property(fc.constantFrom(...selectors), fc.uint8Array({ maxLength: 400 }), (selector, bytes) => {
      const lines = describeAbiCall(selector + Buffer.from(bytes).toString("hex"), abis)?.lines ?? [];
      expect(lines.join("")).toMatch(/^[^\p{Cc}\p{Cf}]+$/u);
    }),
    runs(150, 40_000),
  );
});

const word = (value: bigint | number) => BigInt(value).toString(16).padStart(64, "0");
const HUGE = 2n ** 255n;

/** Data that claims more than it has. */
test.each<[string, string, string]>([
  ["a length of 2^255", "f(uint256[])", word(32) + word(HUGE)],
  ["a length of 2^32 without items", "f(uint256[])", word(32) + word(2 ** 32)],
  ["an offset of 2^255", "f(bytes)", word(HUGE) + word(1)],
  ["an offset that points back to itself", "f(bytes[])", word(0) + word(0)],
  ["offsets in a circle", "f(uint256[][][])", word(32) + word(1) + word(0) + word(1) + word(0)],
  ["a text of 2^255 bytes", "f(string)", word(32) + word(HUGE)],
  ["2^32 items without size", "f(uint256[0][])", word(32) + word(2 ** 32)],
  ["a fixed list of 2^50 items without size", `f(uint256[0][${2 ** 50}])`, ""],
  ["a fixed list of 2^50 items", `f(uint256[${2 ** 50}])`, word(1)],
  ["nothing", "f(uint256)", ""],
])("data with %s is not decoded, and takes no time", (_, signature, hexData) => {
  const item = abiSignatureItem(signature);
  expect(decodeAbiCall(item.selector + hexData, [{ functions: [item], errors: [] }])).toEqual([]);
});

test("a thousand offsets to the same bytes do not become a thousand copies", () => {
  const item = abiSignatureItem("f(bytes[])");
  const count = 1_000;
  const shared = word(100_000) + "ab".repeat(100_000);
  const data = `${item.selector}${word(32)}${word(count)}${word(32 * count).repeat(count)}${shared}${"00".repeat(24)}`;
  expect(decodeAbiCall(data, [{ functions: [item], errors: [] }])).toEqual([]);
});

test("1 MB of items is decoded whole, and shown in short", () => {
  const item = abiSignatureItem("f(uint256[] amounts)");
  const values = [Array.from({ length: 32_000 }, (_, index) => BigInt(index))];
  const [found] = decodeAbiCall(dataOf(item, values), [{ functions: [item], errors: [] }]);
  expect(found?.args).toEqual(values);
  expect(found && abiDecodedText(found)).toMatch(/^f\(amounts \[0, 1, .*, 15, … 31984 more\]\)$/);
});

test("data above 1 MB is not decoded", () => {
  const item = abiSignatureItem("f(bytes)");
  const data = dataOf(item, [`0x${"ab".repeat(2 ** 20)}`]);
  expect(decodeAbiCall(data, [{ functions: [item], errors: [] }])).toEqual([]);
});

test("names that every object has are names like others", () => {
  const inputs = ["__proto__", "constructor", "length", "then"].map((name) => ({ name, type: "uint256" }));
  const abi = readAbi([
    { type: "function", name: "constructor", inputs: [{ name: "p", type: "tuple", components: inputs }] },
  ]);
  const [item] = abi.functions;
  if (!item) throw new Error("the ABI has a function");
  const [found] = decodeAbiCall(dataOf(item, [[1n, 2n, 3n, 4n]]), [abi]);
  expect(found && abiDecodedText(found)).toBe("constructor(p (__proto__ 1, constructor 2, length 3, then 4))");
});
