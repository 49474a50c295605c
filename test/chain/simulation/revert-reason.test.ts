import { Buffer } from "node:buffer";
import fc from "fast-check";
import { revertReason } from "../../../src/chain/simulation/revert-reason.ts";
import { runs } from "../../helpers/deep.ts";

const word = (value: bigint | number) => value.toString(16).padStart(64, "0");
const ERROR = "0x08c379a0";
const PANIC = "0x4e487b71";
const HUGE = 2n ** 256n - 1n;

/** Solidity's `Error(string)`, with an offset and a length that may lie. */
function error(text: string | Buffer, { offset = 32n, length }: { offset?: bigint; length?: bigint } = {}): string {
  const bytes = Buffer.from(text as string);
  const padding = "00".repeat((32 - (bytes.length % 32)) % 32);
  return `${ERROR}${word(offset)}${word(length ?? bytes.length)}${bytes.toString("hex")}${padding}`;
}

const wordsOf = (data: string, message?: string) => revertReason(data, message).words;

test("is the text of an Error(string)", () => {
  const data = error("ERC20: transfer amount exceeds balance");
  expect(revertReason(data)).toEqual({ kind: "error", words: "ERC20: transfer amount exceeds balance", data });
  expect(wordsOf(error("zu wenig Guthaben: 5 €"))).toBe("zu wenig Guthaben: 5 €");
  expect(wordsOf(error(""))).toBe("an empty text");
});

test.each([
  [0x00, "a panic of the compiler"],
  [0x01, "an assertion failed"],
  [0x11, "arithmetic overflow or underflow"],
  [0x12, "division or modulo by zero"],
  [0x21, "conversion of an invalid value to an enum"],
  [0x22, "an incorrectly encoded storage byte array"],
  [0x31, "pop on an empty array"],
  [0x32, "array index out of bounds"],
  [0x41, "too much memory allocated"],
  [0x51, "call of an uninitialized internal function"],
])("is the meaning of Panic(%i): %s", (code, meaning) => {
  const name = `Panic(0x${code.toString(16).padStart(2, "0")})`;
  expect(revertReason(`${PANIC}${word(code)}`)).toMatchObject({ kind: "panic", words: `${name}: ${meaning}` });
});

test("is the code of an unknown panic, exactly", () => {
  expect(wordsOf(`${PANIC}${word(0x99)}`)).toBe("Panic(0x99)");
  expect(wordsOf(`${PANIC}${word(HUGE)}`)).toBe(`Panic(0x${"f".repeat(64)})`);
});

test("is the selector of a custom error, whose data is kept", () => {
  const data = `0x1234abcd${word(7)}`;
  expect(revertReason(data)).toEqual({ kind: "custom", words: "custom error 0x1234abcd", data });
  expect(wordsOf("0xe450d38c")).toBe("custom error 0xe450d38c");
});

test("is empty without data, or the node's own words", () => {
  expect(revertReason("0x")).toEqual({ kind: "empty", words: "no reason given", data: "0x" });
  expect(revertReason("0x", "out of gas")).toEqual({ kind: "message", words: "out of gas", data: "0x" });
  expect(wordsOf(error("too late"), "out of gas")).toBe("too late");
});

describe("a hostile reason", () => {
  test("of a megabyte is cut to one line", () => {
    const words = wordsOf(error("x".repeat(2 ** 20)));
    expect(words).toBe(`${"x".repeat(500)}…`);
  });

  test("of several lines with URLs is one line with masked URLs", () =>
    expect(wordsOf(error("first\nsecond\t https://rpc.example.org/v2/secret-key\0"))).toMatch(
      /^first second https:\/\/rpc\.example\.org\/\*\*\*/,
    ));

  test("that is not UTF-8 is shown with replacement characters", () =>
    expect(wordsOf(error(Buffer.from([0x61, 0xff, 0xfe, 0x62])))).toBe("a\ufffd\ufffdb"));

  test.each<[string, string]>([
    ["an offset beyond the data", error("late", { offset: 2n ** 255n })],
    ["an offset into the last word", error("late", { offset: 65n })],
    ["no length", `${ERROR}${word(32)}`],
    ["half a word", `${ERROR}${word(32).slice(0, 20)}`],
    ["nothing after the selector", ERROR],
  ])("with %s cannot be decoded", (_, data) => {
    expect(revertReason(data)).toEqual({ kind: "malformed", words: "an Error(string) that cannot be decoded", data });
  });

  test("with a length beyond its end has the text up to its end", () =>
    expect(wordsOf(error("up to here".padEnd(32, "!"), { length: HUGE }))).toBe(`up to here${"!".repeat(22)}`));

  test("of a panic without a whole code cannot be decoded", () =>
    expect(revertReason(`${PANIC}11`)).toMatchObject({
      kind: "malformed",
      words: "a Panic(uint256) that cannot be decoded",
    }));

  test("of less than a selector is shown as it is", () =>
    expect(revertReason("0x08c379")).toMatchObject({
      kind: "malformed",
      words: "0x08c379, which is not a known form",
    }));

  test("of any bytes has words on one bounded line, and its data", () => {
    const start = fc.constantFrom("", ERROR.slice(2), PANIC.slice(2), ERROR.slice(2) + word(32));
    const bytes = fc.uint8Array({ maxLength: 300 }).map((each) => Buffer.from(each).toString("hex"));
    fc.assert(
      fc.property(start, bytes, fc.option(fc.string(), { nil: undefined }), (head, rest, message) => {
        const data = `0x${head}${rest}`;
        const reason = revertReason(data, message);
        expect(reason.data).toBe(data);
        if (reason.kind === "message") return;
        expect(reason.words).not.toBe("");
        expect(reason.words.length).toBeLessThan(520);
        expect(reason.words).not.toMatch(/[\r\n]/);
      }),
      runs(150, 10_000),
    );
  });
});
