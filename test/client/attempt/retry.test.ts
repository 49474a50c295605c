import fc from "fast-check";
import { retryAfter } from "../../../src/client/attempt/failed-attempt.ts";
import { attemptConfirmation } from "../../../src/client/attempt/send.ts";
import { createClient } from "../../../src/client/client.ts";
import type { ApiRequest } from "../../../src/client/request.ts";
import type { TransportFailure } from "../../../src/client/transport/transport.ts";
import type { OperationKind } from "../../../src/contract/operation.ts";
import { operations } from "../../../src/contract/operations.ts";
import { anything } from "../../../src/contract/reply/shape.ts";
import type { WireReply } from "../../../src/contract/wire.ts";
import { RelayctlError } from "../../../src/errors.ts";
import { refusal, reply, success } from "../../helpers/service/reply.ts";
import { lost, notSent, scriptedService } from "../../helpers/service/scripted-service.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";
import { errorOf, NOW, testClientContext } from "../../helpers/test-link.ts";

/** One request of each kind (promises 7.1). */
const ASKS: Record<OperationKind, ApiRequest> = {
  read: { operation: operations["relayers.get"], parameters: { relayer_id: "r1" } },
  patch: { operation: operations["relayers.update"], parameters: { relayer_id: "r1" }, body: { paused: true } },
  remove: {
    operation: { id: "api", kind: "remove", method: "DELETE", path: "/relayers/r1", data: anything, bare: true },
  },
  create: { operation: operations["notifications.create"], body: { url: "https://h.example", id: "n1" } },
  once: {
    operation: operations["tx.replace"],
    parameters: { relayer_id: "r1", transaction_id: "t1" },
    body: { value: 1 },
  },
};

/** What the service sends for the request itself, and then for each check. */
async function outcomeOf(
  kind: OperationKind,
  answer: WireReply | TransportFailure,
  seen: WireReply = refusal(404, ""),
) {
  let sent = 0;
  const { method } = ASKS[kind].operation;
  const clientContext = testClientContext(async (request) => {
    if (request.method !== method) return seen;
    sent++;
    if (answer instanceof Error) throw answer;
    return answer;
  });
  const error = await errorOf(createClient(clientContext).request(ASKS[kind])).catch(() => undefined);
  return { sent, exit: error instanceof RelayctlError ? error.exitCode : 0, error };
}

const kinds: readonly OperationKind[] = ["read", "patch", "remove", "create", "once"];
type Cells = Record<OperationKind, [sent: number, exit: number]>;
const all = (sent: number, exit: number): Cells =>
  Object.fromEntries(kinds.map((kind) => [kind, [sent, exit]])) as unknown as Cells;
const never = (read: [number, number]): Cells => ({ ...all(1, 11), read });
const other = success({ id: "other" });

/** promises 7.1: how often the request is sent with two retries, and how it ends if the response stays the same. */
const TABLE: readonly [fault: string, answer: WireReply | TransportFailure, cells: Cells][] = [
  ["not sent: refused", notSent("connect"), all(3, 10)],
  ["not sent: unknown host", notSent("dns"), all(3, 10)],
  ["not sent: timeout", notSent("timeout"), all(3, 10)],
  ["not sent: invalid certificate, never retried", notSent("certificate"), all(1, 10)],
  ["429", refusal(429, "Too Many Requests"), all(3, 8)],
  ["sent, then reset", lost("reset"), never([3, 10])],
  ["sent, then timeout", lost("timeout"), never([3, 10])],
  ["sent, then garbage", lost("protocol"), never([3, 9])],
  ["408", reply(408), never([3, 10])],
  ["500", refusal(500, "Internal Server Error"), never([3, 9])],
  ["501 without the envelope", reply(501), never([3, 9])],
  ["502 in HTML", reply(502, "<html>bad gateway</html>"), never([3, 9])],
  ["503", reply(503), never([3, 9])],
  ["504", reply(504, "Request handler timeout"), never([3, 9])],
  ["an error status, cut off", lost("reset", 400), never([3, 9])],
  ["2xx, cut off", lost("reset", 200), never([2, 9])],
  ["2xx, timeout", lost("timeout", 200), never([2, 10])],
  ["2xx, too large", lost("too_large", 200), never([2, 9])],
  ["2xx, empty", reply(200), never([2, 9])],
  ["2xx, HTML", reply(200, "<html>"), never([2, 9])],
  ["2xx without data", success("null"), { ...never([2, 9]), remove: [1, 0] }],
  ["2xx, another resource", other, { ...all(1, 14), read: [1, 9], remove: [1, 0] }],
  ["400", refusal(400, "Bad Request"), all(1, 7)],
  ["401", refusal(401, "Unauthorized"), all(1, 4)],
  ["403", refusal(403, "Relayer paused"), all(1, 6)],
  ["404", refusal(404, "Not found: r1"), { ...all(1, 5), read: [2, 5] }],
  ["405", reply(405), { ...all(1, 7), read: [3, 7] }],
  ["409", refusal(409, "Notification with this ID already exists"), all(1, 6)],
  ["413", reply(413, "too big"), all(1, 7)],
  ["422", reply(422), all(1, 7)],
  ["501 with the envelope", refusal(501, "Nonce lookup only supported for EVM networks"), all(1, 7)],
  ["301", reply(301, "", { location: "https://elsewhere.example" }), all(1, 7)],
  ["303", reply(303), never([1, 7])],
  ["success:false, no message", reply(200, { success: false, data: null }), never([1, 7])],
  ["success:false, unknown message", refusal(200, "Not implemented"), never([1, 7])],
  ["success:false, Internal Server Error", refusal(200, "Internal Server Error"), never([1, 9])],
  ["success:false, Bad Request", refusal(200, "Bad Request"), all(1, 7)],
  ["success:false, Unauthorized", refusal(201, "Unauthorized"), all(1, 4)],
  ["success:false, a state that rules the request out", refusal(201, "Relayer is disabled"), all(1, 6)],
];

/** Exit codes 2 to 10 mean that nothing was applied, and 11 that the outcome is unknown. */
describe.each(TABLE)("%s", (_, answer, cells) => {
  test.each(kinds)("%s", async (kind) => {
    const { sent, exit, error } = await outcomeOf(kind, answer);
    expect([sent, exit]).toEqual(cells[kind]);
    if (exit > 0 && exit <= 10) expect(error).toMatchObject({ applied: "no" });
    if (exit === 11) expect(error).toMatchObject({ applied: "unknown", retryable: false });
  });
});

test.each<[WireReply | TransportFailure, boolean]>([
  [notSent(), true],
  [refusal(429, ""), true],
  [refusal(500, ""), true],
  [refusal(403, "Relayer disabled"), true],
  [refusal(400, "Relayer is paused"), true],
  [refusal(400, "Unable to calculate sufficient price bump for speed-based replacement"), true],
  [refusal(400, "Invalid transaction state for replace_transaction. Current: Confirmed"), false],
  [refusal(409, "Notification with this ID already exists"), false],
  [refusal(400, "Bad Request"), false],
  [refusal(401, "Unauthorized"), false],
])("the error shows whether a retry can succeed: %#", async (answer, retryable) => {
  expect((await outcomeOf("read", answer)).error).toMatchObject({ retryable });
});

test.each([
  ["read", 2, lost("reset")],
  ["patch", 2, notSent()],
  ["once", 2, notSent()],
  ["once", 2, refusal(429, "Too Many Requests")],
] as const)("a retry that succeeds: %s after %i failures", async (kind, failures, failure) => {
  let sent = 0;
  const answer = success({ id: kind === "once" ? "t1" : "r1", paused: true, value: "1" });
  const clientContext = testClientContext(async () => {
    if (sent++ >= failures) return answer;
    if (failure instanceof Error) throw failure;
    return failure;
  });
  await createClient(clientContext).request(ASKS[kind]);
  expect([sent, clientContext.waits.length]).toEqual([3, 2]);
});

describe("the number of attempts", () => {
  test.each([0, 1, 5])("is one plus %i retries", async (retries) => {
    let sent = 0;
    const clientContext = testClientContext(
      async () => {
        sent++;
        throw lost();
      },
      { retries },
    );
    await errorOf(createClient(clientContext).request(ASKS.read));
    expect(sent).toBe(retries + 1);
  });

  test("is at most three for a request that must not be repeated, even with more retries", async () => {
    let sent = 0;
    const clientContext = testClientContext(
      async () => {
        sent++;
        throw notSent();
      },
      { retries: 9 },
    );
    await errorOf(createClient(clientContext).request(ASKS.once));
    expect(sent).toBe(3);
  });

  test.each([
    [14_999, 2],
    [15_000, 1],
  ])("is limited by the 15 seconds since the first one: after %i ms, %i", async (duration, expected) => {
    let sent = 0;
    let elapsed = 0;
    const clientContext = testClientContext(async () => {
      sent++;
      elapsed += duration;
      throw notSent();
    });
    const clock = { ...clientContext.clock, elapsed: () => elapsed };
    await errorOf(createClient({ ...clientContext, clock }).request(ASKS.once));
    expect(sent).toBe(expected);
  });

  test("is 101 in bulk if each attempt is rejected with 429", async () => {
    let sent = 0;
    const refusing = async () => {
      sent++;
      return refusal(429, "Too Many Requests");
    };
    await errorOf(createClient(testClientContext(refusing, { inBulk: true })).request(ASKS.patch));
    expect(sent).toBe(101);
  });
});

describe("a 429", () => {
  const AFTER = { "retry-after": "0" };
  const busy = '{"error":"Too many concurrent requests","max_concurrent":100}';
  const FROM_GATEWAYS: [string, WireReply][] = [
    ["nothing", reply(429, "")],
    ["a page", reply(429, "<html><title>Slow down</title></html>", { "content-type": "text/html" })],
    ["another JSON", reply(429, { message: "Too Many Requests" })],
    ["text like the service's", reply(429, busy, { "content-type": "application/json" })],
  ];
  const LIMITS: [string, WireReply, number][] = [
    ["the service's envelope", refusal(429, "Too Many Requests"), 3],
    ["the service's limit of concurrent requests", reply(429, busy, { "content-type": "text/plain" }), 3],
    ...FROM_GATEWAYS.map(([what, answer]): [string, WireReply, number] => [what, answer, 1]),
    ...FROM_GATEWAYS.map(([what, answer]): [string, WireReply, number] => [
      `${what} and Retry-After`,
      { ...answer, headers: { ...answer.headers, ...AFTER } },
      3,
    ]),
  ];

  test.each(LIMITS)(
    "to a payment or a replacement is only sent again if it shows who limits the rate: %s",
    async (_, answer, sent) => {
      for (const kind of kinds)
        expect(await outcomeOf(kind, answer)).toMatchObject({ sent: kind === "once" ? sent : 3, exit: 8 });
    },
  );
});

describe("Retry-After is parsed strictly", () => {
  test.each<[string | undefined, number | undefined]>([
    ["0", 0],
    ["2", 2000],
    ["120", 120_000],
    ["9999999999", 9_999_999_999_000],
    ["Sat, 21 Nov 2026 03:12:17 GMT", 10_000],
    ["Sat, 21 Nov 2026 03:12:07 GMT", undefined],
    ["Sat, 21 Nov 2020 03:12:07 GMT", undefined],
    [undefined, undefined],
    ["", undefined],
    ["-1", undefined],
    ["1.5", undefined],
    ["1e9", undefined],
    ["0x10", undefined],
    ["Infinity", undefined],
    ["foo 5", undefined],
    ["5, 5", undefined],
    ["99999999999", undefined],
    ["2026-11-21T03:12:17Z", undefined],
    ["Sat, 21 Nov 2026 03:12:17 +0000", undefined],
    ["Sat, 99 Nov 2026 03:12:17 GMT", undefined],
  ])("%s", (header, milliseconds) => expect(retryAfter(header, NOW)).toBe(milliseconds));

  test("is never negative and never NaN", () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        expect(retryAfter(header, NOW) ?? 0).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

async function waitsFor(header: string | undefined, options = {}) {
  const limited = { reply: refusal(429, "Too Many Requests", header === undefined ? {} : { "retry-after": header }) };
  const service = scriptedService(limited, limited, { reply: success({ id: "r1" }) });
  const clientContext = testClientContext(service.transport, options);
  await createClient(clientContext).relayers.get("r1");
  return clientContext.waits;
}

describe("a request that gets a 429 is retried", () => {
  test("slightly later than Retry-After says", async () => {
    for (const wait of await waitsFor("2")) expect(wait).toBeGreaterThan(2000);
  });

  test("with a short delay for Retry-After: 0", async () => {
    for (const wait of await waitsFor("0")) expect(wait).toBeGreaterThanOrEqual(100);
  });

  test("with growing delays if there is no Retry-After", async () => {
    const [first = 0, second = 0] = await waitsFor(undefined);
    expect([first, second]).toEqual([200, 300]);
  });

  test("with full jitter: between zero and the whole delay", async () => {
    const waits = (fraction: number) => waitsFor(undefined, { random: { uuid: () => "", fraction: () => fraction } });
    expect([await waits(0), await waits(0.999)]).toEqual([
      [100, 100],
      [300, 500],
    ]);
  });
});

test("the delays of many retries grow to eight seconds at most", async () => {
  const clientContext = testClientContext(scriptedService(...Array(9).fill({ failure: notSent() })).transport, {
    retries: 8,
    random: { uuid: () => "", fraction: () => 1 },
  });
  await errorOf(createClient(clientContext).relayers.get("r1"));
  expect(clientContext.waits).toEqual([200, 400, 800, 1600, 3200, 6400, 8000, 8000]);
});

describe("a Retry-After beyond the remaining time", () => {
  test("fails at once, with the time from Retry-After", async () => {
    const service = scriptedService({ reply: refusal(429, "Too Many Requests", { "retry-after": "60" }) });
    const clientContext = testClientContext(service.transport, { remaining: () => 60_000 });
    expect(await errorOf(createClient(clientContext).relayers.get("r1"))).toMatchObject({
      failure: "rate_limited",
      because: ["the service asks to wait until 2026-11-21T03:13:07Z"],
      http: { status: 429 },
    });
    expect(clientContext.waits).toEqual([]);
  });

  test("is limited to two minutes by default", async () => {
    const retriedAfter = async (seconds: string) => {
      const refused = { reply: refusal(429, "", { "retry-after": seconds }) };
      const service = scriptedService(refused, { reply: success({ id: "r1" }) });
      return await createClient(testClientContext(service.transport)).relayers.get("r1");
    };
    expect(await errorOf(retriedAfter("120"))).toMatchObject({ failure: "rate_limited" });
    expect((await retriedAfter("119")).data).toEqual({ id: "r1" });
  });
});

test("sends nothing if the time for the whole command is over", async () => {
  const service = scriptedService();
  const clientContext = testClientContext(service.transport, { remaining: () => 0 });
  const error = await errorOf(createClient(clientContext).relayers.update("r1", { paused: true }));
  expect(error).toMatchObject({ failure: "network", applied: "no" });
});

test("keeps the message of a 429, even with text/plain and no envelope", async () => {
  const body = '{"error":"Too many concurrent requests","max_concurrent":100}';
  const clientContext = testClientContext(async () => reply(429, body, { "content-type": "text/plain" }));
  expect(await errorOf(createClient(clientContext).relayers.get("r1"))).toMatchObject({
    failure: "rate_limited",
    message: "Too many concurrent requests",
  });
});

test("a connection is watched for 50 ms after a refusal", async () => {
  const clock = steppedClock();
  const unused = () => Promise.reject(new Error("nothing is sent or classified"));
  const confirmation = attemptConfirmation(testClientContext(unused, { clock }), unused as never);
  let isOver = false;
  void confirmation.linger(new AbortController().signal).then(() => {
    isOver = true;
  });
  await clock.pass(49);
  expect(isOver).toBe(false);
  await clock.pass(1);
  expect(isOver).toBe(true);
});
