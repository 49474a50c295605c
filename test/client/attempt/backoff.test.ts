import fc from "fast-check";
import { retryAfter } from "../../../src/client/attempt/failed-attempt.ts";
import { createClient } from "../../../src/client/client.ts";
import { refusal, reply, success } from "../../helpers/service/reply.ts";
import { notSent, scriptedService } from "../../helpers/service/scripted-service.ts";
import { errorOf, NOW, testClientContext } from "../../helpers/test-link.ts";

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
      because: ["the service asks to wait until 2026-11-21T03:13:07Z", "nothing was applied"],
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
