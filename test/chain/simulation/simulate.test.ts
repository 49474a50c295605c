import { Buffer } from "node:buffer";
import fc from "fast-check";
import { revertReason } from "../../../src/chain/simulation/revert-reason.ts";
import { type SimulatedCall, simulateCall } from "../../../src/chain/simulation/simulate.ts";
import type { JsonValue } from "../../../src/contract/json.ts";
import { runs } from "../../helpers/deep.ts";
import { fakeNode, fault, NO_METHOD } from "../fake-node.ts";

const OWN = `0x${"70".repeat(20)}`;
const TOKEN = `0x${"c0de".repeat(10)}`;
const CALL: SimulatedCall = { from: OWN, to: TOKEN, value: 0n, data: "0xa9059cbb" };
const word = (value: bigint | number) => value.toString(16).padStart(64, "0");
const LATE = `0x08c379a0${word(32)}${word(8)}${Buffer.from("too late").toString("hex").padEnd(64, "0")}`;
const RELAY_CODE = "0x6020360380602060003760006000916000346000355af16000523d600060203e3d6020016000f3";

type Name = "eth_simulateV1" | "debug_traceCall" | "override" | "eth_call";
type Response = JsonValue | ReturnType<typeof fault>;

const RESPONSES: Readonly<Record<Name, Response>> = {
  eth_simulateV1: [{ calls: [{ status: "0x0", returnData: LATE, gasUsed: "0x5208" }] }],
  debug_traceCall: { type: "CALL", gasUsed: "0x5300", output: LATE, error: "execution reverted" },
  override: `0x${word(0)}${LATE.slice(2)}`,
  eth_call: fault("reverted", "JSON-RPC error 3"),
};

/** A node with some of the ways, or with other responses; the others are not there. */
function nodeWith(responses: Partial<Record<Name, Response>>) {
  return fakeNode((method, params) => {
    const name = method === "eth_call" && params.length === 3 ? "override" : (method as Name);
    return responses[name] ?? (name === "override" ? fault("failed", "too many parameters") : NO_METHOD);
  });
}

const ranBy = (call: Partial<SimulatedCall>, responses: Partial<Record<Name, Response>>) =>
  simulateCall(nodeWith(responses), { ...CALL, ...call }, "latest");

describe("a call that reverts", () => {
  test.each<[Name, string, object]>([
    ["eth_simulateV1", "eth_simulateV1", { gasUsed: 21_000n, reason: { kind: "error", words: "too late" } }],
    ["debug_traceCall", "debug_traceCall", { gasUsed: 21_248n, reason: { kind: "error", words: "too late" } }],
    ["override", "eth_call with override", { reason: { kind: "error", words: "too late" } }],
    ["eth_call", "eth_call", {}],
  ])("is shown by %s if the node has nothing better", async (name, by, shown) => {
    const found = await ranBy({}, { [name]: RESPONSES[name] });
    expect(found).toMatchObject({ outcome: "reverted", by, ...shown });
    if (name === "eth_call") expect(found).not.toHaveProperty("reason");
    else expect(found.returnData).toBe(LATE);
    if (name === "override") expect(found).not.toHaveProperty("gasUsed");
  });

  test("takes one call of a node that has every way, and at most four", async () => {
    const whole = nodeWith(RESPONSES);
    await simulateCall(whole, CALL, "latest");
    expect(whole.asked.map(({ method }) => method)).toEqual(["eth_simulateV1"]);
    const bare = nodeWith({ eth_call: RESPONSES.eth_call });
    await simulateCall(bare, CALL, "latest");
    expect(bare.asked.map(({ method }) => method)).toEqual([
      "eth_simulateV1",
      "debug_traceCall",
      "eth_call",
      "eth_call",
    ]);
  });

  test.each([
    ["0x186a0", "it used all of its gas"],
    ["0x1869f", "no reason given"],
  ])("without a reason says whether it used its gas: %s of 100,000", async (gasUsed, words) => {
    const calls = [{ status: "0x0", returnData: "0x", gasUsed, error: { message: "execution failed" } }];
    const { reason } = await ranBy({ gas: 100_000n }, { eth_simulateV1: [{ calls }] });
    expect(reason?.words).toBe(words);
  });

  test("has the reason of geth, which is in the error alone", async () => {
    const error = { code: 3, message: "execution reverted: too late", data: LATE };
    const calls = [{ status: "0x0", returnData: "0x", gasUsed: "0x1", error }];
    expect(await ranBy({}, { eth_simulateV1: [{ calls }] })).toMatchObject({ reason: { words: "too late" } });
  });

  test.each<[string, JsonValue, object]>([
    ["ran out of gas", { message: "out of gas" }, { kind: "message", words: "out of gas" }],
    ["has a text without data", { message: "execution reverted: too late" }, { kind: "message", words: "too late" }],
    ["has no reason", { message: "execution reverted" }, { kind: "empty", words: "no reason given" }],
    ["has several lines", { message: "out\nof\tgas" }, { kind: "message", words: "out of gas" }],
    ["has no error", null, { kind: "empty" }],
    ["failed on anvil", { message: "execution failed" }, { kind: "empty", words: "no reason given" }],
  ])("and %s has the node's words or none", async (_, error, reason) => {
    const calls = [{ status: "0x0", returnData: "0x", gasUsed: "0x1", error }];
    expect((await ranBy({}, { eth_simulateV1: [{ calls }] })).reason).toMatchObject(reason);
    const { message } = (error ?? { message: "execution reverted" }) as { message: string };
    const frame = { type: "CALL", gasUsed: "0x1", error: message };
    expect((await ranBy({}, { debug_traceCall: frame })).reason).toMatchObject(reason);
  });
});

describe("a call that succeeds", () => {
  test.each<[Name, Response]>([
    ["eth_simulateV1", [{ calls: [{ status: "0x1", returnData: "0xAB", gasUsed: "0x5208" }] }]],
    ["debug_traceCall", { type: "CALL", gasUsed: "0x5208", output: "0xab" }],
    ["override", `0x${word(1)}ab`],
    ["eth_call", "0xab"],
  ])("is shown by %s with what it returns", async (name, response) => {
    const found = await ranBy({}, { [name]: response });
    expect(found).toMatchObject({ outcome: "succeeded", returnData: "0xab" });
    expect(found).not.toHaveProperty("reason");
  });

  test("returns at most 64 KiB", async () => {
    const { returnData = "" } = await ranBy({}, { eth_call: `0x${"ab".repeat(2 ** 20)}` });
    expect(returnData.length).toBe(2 + 2 * 2 ** 16);
  });
});

describe("the request", () => {
  const VALUE = { ...CALL, value: 1_000n, gas: 63_000n };

  test("contains the call and the block", async () => {
    const node = nodeWith({});
    await simulateCall(node, VALUE, 41n);
    const call = { from: OWN, to: TOKEN, value: "0x3e8", data: "0xa9059cbb", gas: "0xf618" };
    expect(node.asked[0]?.params).toEqual([{ blockStateCalls: [{ calls: [call] }], validation: false }, "0x29"]);
    expect(node.asked[1]?.params).toEqual([
      call,
      "0x29",
      { tracer: "callTracer", tracerConfig: { onlyTopCall: true } },
    ]);
    expect(node.asked[3]?.params).toEqual([call, "0x29"]);
  });

  test("with an override gives the sender code that makes the call, and another caller the value", async () => {
    const node = nodeWith({ override: RESPONSES.override });
    const { caveat } = await simulateCall(node, VALUE, "latest");
    const [call, block, overrides] = (node.asked[2]?.params ?? []) as [{ from: string }, string, object];
    expect(call).toEqual({
      from: expect.not.stringMatching(OWN),
      to: OWN,
      value: "0x3e8",
      data: `0x${"0".repeat(24)}${TOKEN.slice(2)}a9059cbb`,
      gas: "0x14820",
    });
    expect(block).toBe("latest");
    expect(overrides).toEqual({ [OWN]: { code: RELAY_CODE }, [call.from]: { balance: "0x3e8" } });
    expect(caveat).toContain("tx.origin");
  });

  test("without a value overrides no balance, and without gas leaves it to the node", async () => {
    const node = nodeWith({});
    await simulateCall(node, CALL, "pending");
    expect(Object.keys(node.asked[2]?.params[2] as object)).toEqual([OWN]);
    expect(node.asked.every(({ params }) => !JSON.stringify(params).includes('"gas"'))).toBe(true);
  });

  test.each<[string, Partial<SimulatedCall>]>([
    ["creates a contract", { to: null }],
    ["goes to the sender itself", { to: OWN.toUpperCase().replace("0X", "0x") }],
  ])("is never sent with an override if the call %s", async (_, call) => {
    const node = nodeWith({ ...RESPONSES, eth_simulateV1: NO_METHOD, debug_traceCall: NO_METHOD });
    expect(await simulateCall(node, { ...CALL, ...call }, "latest")).toMatchObject({
      outcome: "reverted",
      by: "eth_call",
    });
    expect(node.asked.filter(({ params }) => params.length === 3 && params[1] === "latest")).toHaveLength(1);
  });
});

describe("a hostile or broken node", () => {
  test.each<[Name, JsonValue]>([
    ["eth_simulateV1", null],
    ["eth_simulateV1", []],
    ["eth_simulateV1", [{ calls: [] }]],
    ["eth_simulateV1", [{ calls: [{ status: "0x2", returnData: "0x" }] }]],
    ["eth_simulateV1", [{ calls: [{ status: true, returnData: "0x" }] }]],
    ["eth_simulateV1", [{ calls: [{ status: "0x1", returnData: "0x1" }] }]],
    ["eth_simulateV1", [{ calls: [{ status: "0x1" }] }]],
    ["eth_simulateV1", "0x1"],
    ["debug_traceCall", null],
    ["debug_traceCall", {}],
    ["debug_traceCall", { type: "CALL", output: 5 }],
    ["debug_traceCall", { type: "CALL", error: { code: 3 } }],
    ["override", "0x"],
    ["override", null],
    ["override", `0x${word(2)}`],
    ["override", `0x${word(1).slice(2)}`],
    ["override", `0x${word(2n ** 255n)}`],
    ["eth_call", null],
    ["eth_call", "reverted"],
    ["eth_call", { data: "0x" }],
  ])("is not believed if %s returns %j", async (name, response) => {
    expect(await ranBy({}, { [name]: response })).toMatchObject({ outcome: "unknown", fault: {} });
    const next = await ranBy({}, { ...RESPONSES, [name]: response });
    if (name !== "eth_simulateV1") expect(next.by).toBe("eth_simulateV1");
    else expect(next.by).toBe("debug_traceCall");
  });

  test("leaves the outcome unknown, with the fault of the last way", async () => {
    const all = { eth_simulateV1: fault("failed", "a"), debug_traceCall: fault("unreadable", "b") };
    const found = await ranBy({}, { ...all, eth_call: fault("failed", "missing state") });
    expect(found).toEqual({ outcome: "unknown", fault: { kind: "failed", words: "missing state" } });
  });

  test.each(["refused", "unreachable", "limited", "wrong_chain", "exhausted"] as const)(
    "is not asked again after it is %s",
    async (kind) => {
      const node = nodeWith({ ...RESPONSES, eth_simulateV1: fault(kind) });
      expect(await simulateCall(node, CALL, "latest")).toEqual({ outcome: "unknown", fault: { kind, words: kind } });
      expect(node.asked).toHaveLength(1);
    },
  );

  test("never makes it throw, whatever the node returns", async () => {
    const json = fc.jsonValue() as fc.Arbitrary<JsonValue>;
    const shaped = fc.oneof(
      json,
      fc.record({ type: json, output: json, error: json, revertReason: json, gasUsed: json }),
      fc.record({ status: json, returnData: json, error: json }).map((call) => [{ calls: [call] }]),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(shaped, { minLength: 4, maxLength: 4 }), async (responses) => {
        const left = responses.values();
        const node = fakeNode(() => ({ value: left.next().value ?? null }));
        expect((await simulateCall(node, CALL, "latest")).outcome).toMatch(/^(?:succeeded|reverted|unknown)$/);
        expect(node.asked.length).toBeLessThanOrEqual(4);
      }),
      runs(100, 6_000),
    );
  });

  test("that reverts the override's own code is asked for the call alone", async () => {
    const found = await ranBy({}, { override: fault("reverted"), eth_call: RESPONSES.eth_call });
    expect(found).toEqual({ outcome: "reverted", by: "eth_call" });
  });
});

describe("the reason of a revert", () => {
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
});
