import type { InjectedFailure } from "../../../src/contract/serving.ts";
import { ClosedConnection, createFailures } from "../../../src/embedded-server/middleware/failures.ts";
import { Refusal } from "../../../src/embedded-server/refusal.ts";
import { demoStore } from "../../helpers/seed-state.ts";
import { askDemo } from "../ask.ts";
import { askService } from "../openzeppelin/ask-service.ts";

const always = { fraction: () => 0 };

function met(rule: Partial<InjectedFailure>, method: string, path: string, random = always) {
  const failures = createFailures([{ method: "*", path: "*", status: 500, rate: 1, ...rule }], random);
  const failure = failures(method, path);
  return failure instanceof Refusal ? failure : undefined;
}

test.each([
  ["*", "*", true],
  ["PUT", "*", true],
  ["GET", "*", false],
  ["*", "/api/v1/relayers/*", true],
  ["*", "/api/v1/relayers/*/transactions/*", true],
  ["*", "/api/v1/relayers", false],
  ["*", "*/transactions/t.1", true],
  ["*", "*/transactions/t?1", false],
  ["*", "*/transactions/tx1", false],
])("a rule for %s %s", (method, path, fits) => {
  const failure = met({ method, path }, "PUT", "/api/v1/relayers/r1/transactions/t.1");
  expect(failure?.status).toBe(fits ? 500 : undefined);
});

test("fails the requested share of requests", () => {
  const fractions = [0.29, 0.3, 0.31];
  const random = { fraction: () => fractions.shift() ?? 1 };
  const failures = createFailures([{ method: "*", path: "*", status: 500, rate: 0.3 }], random);
  expect([1, 2, 3].map(() => failures("GET", "/") !== undefined)).toEqual([true, false, false]);
});

test.each([
  [400, "Bad Request"],
  [401, "Unauthorized"],
  [404, "Not found"],
  [418, "Bad Request"],
  [429, "Too Many Requests"],
  [500, "Internal Server Error"],
  [503, "Internal Server Error"],
])("a failure of status %i has the message %s", (status, message) => {
  const failure = met({ status }, "GET", "/");
  expect([failure?.status, failure?.message]).toEqual([status, message]);
});

test("an injected 429 has a Retry-After header", () =>
  expect(met({ status: 429 }, "GET", "/")?.headers).toEqual({ "retry-after": "0" }));

const failing = (status: InjectedFailure["status"]) => ({ failures: [{ method: "*", path: "*", status, rate: 1 }] });

test("busy sends the service's text for too many requests in progress", async () => {
  const { status, headers, text } = await askService(failing("busy")).ask("GET", "/relayers");
  expect([status, text]).toEqual([429, '{"error":"Too many concurrent requests","max_concurrent":100}']);
  expect(headers).toEqual({ "content-type": "text/plain; charset=utf-8", "x-relayctl-demo": "1" });
});

test("refuse sends a failure with status 200", async () => {
  const service = await askService(failing("refuse")).ask("GET", "/relayers");
  expect([service.status, service.text]).toEqual([200, '{"success":false,"data":null,"error":"Not implemented"}']);
  const { status, text } = await askDemo(failing("refuse"))("GET", "/relayers");
  expect([status, text]).toEqual([200, '{"success":false,"data":null,"message":"Not implemented"}']);
});

test("close sends no response", () =>
  expect(askDemo(failing("close"))("GET", "/relayers")).rejects.toThrow(ClosedConnection));

const payment = { to: `0x${"ab".repeat(20)}`, value: "1", speed: "fast" };
const sent = "/relayers/eth-main-1/transactions";

test("lost applies the request and sends no response", async () => {
  const store = demoStore();
  const rule = { method: "POST", path: "*", status: "lost" as const, rate: 1 };
  const before = await store.read(({ transactions }) => transactions.size());
  const ask = askDemo({ store, failures: [rule] });
  await expect(ask("POST", sent, payment)).rejects.toThrow(ClosedConnection);
  expect(await store.read(({ transactions }) => transactions.size())).toBe(before + 1);
  await expect(ask("POST", sent, {})).rejects.toThrow(ClosedConnection);
  expect(await store.read(({ transactions }) => transactions.size())).toBe(before + 1);
});

test("late closes the connection first, and applies the request ten seconds later", async () => {
  const store = demoStore();
  const waits: { milliseconds: number; wake(): void }[] = [];
  const clock = {
    now: () => 0,
    elapsed: () => 0,
    sleep: (milliseconds: number) => new Promise<void>((wake) => waits.push({ milliseconds, wake })),
  };
  const rule = { method: "POST", path: "*", status: "late" as const, rate: 1 };
  const count = () => store.read(({ transactions }) => transactions.size());
  const before = await count();
  const ask = askDemo({ store, clock, failures: [rule] });
  await expect(ask("POST", sent, payment)).rejects.toThrow(ClosedConnection);
  expect([await count(), waits.map(({ milliseconds }) => milliseconds)]).toEqual([before, [10_000]]);
  waits[0]?.wake();
  await expect.poll(count).toBe(before + 1);
});
