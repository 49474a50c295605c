import type { ServeOptions } from "../../src/app.ts";
import { type ServeWorld, serveEmbeddedServer } from "../../src/embedded-server/serve.ts";
import { memoryStore } from "../../src/embedded-server/state/store.ts";
import { seedState } from "../helpers/seed-state.ts";
import { steppedClock } from "../helpers/stepped-clock.ts";
import { LOCAL, localState, START, UUID } from "./ask.ts";
import { type RawReply, rawRequest } from "./raw-request.ts";

async function served(path: string, options: Partial<ServeOptions> = {}, world: Partial<ServeWorld> = {}) {
  const end = new AbortController();
  const lines: unknown[] = [];
  const replies: Promise<RawReply>[] = [];
  const all: ServeOptions = {
    port: 0,
    token: "the-token",
    seed: "demo",
    latency: 0,
    failures: [],
    dialect: "interface",
    listening: async (port) => {
      replies.push(rawRequest(port, { path, headers: { authorization: "Bearer the-token" } }));
    },
    served: async (line) => {
      lines.push(line);
      end.abort();
    },
    delivered: async () => {},
    ...options,
  };
  const clock = { now: () => START, elapsed: () => 0, sleep: () => Promise.resolve() };
  const random = { uuid: () => UUID, fraction: () => 0 };
  const deliver = () => Promise.reject(new Error("nobody is to be told"));
  await serveEmbeddedServer(all, { clock, random, interrupt: end.signal, deliver, ...world });
  const [reply] = await Promise.all(replies);
  return { reply, lines, total: reply && JSON.parse(reply.text).pagination?.total_items };
}

test("serves the seed on loopback to a client with the token", async () => {
  const { reply, lines, total } = await served("/api/v1/relayers");
  expect([reply?.status, total]).toEqual([200, 8]);
  expect(reply?.headers).toMatchObject({ "x-relayctl-demo": "1", "content-type": "application/json" });
  expect(lines).toEqual([{ method: "GET", target: "/api/v1/relayers", status: 200, milliseconds: 0 }]);
});

test("refuses another token", async () =>
  expect((await served("/api/v1/relayers", { token: "another" })).reply?.status).toBe(401));

test.each([
  ["empty", 0],
  ["fleet:1000000", 1_000_000],
])("serves the seed %s", async (seed, total) => expect((await served("/api/v1/relayers", { seed })).total).toBe(total));

test("uses the real service's dialect on request", async () => {
  const { reply } = await served("/api/v1/relayers/nope", { dialect: "openzeppelin" });
  expect(reply?.text).toBe('{"success":false,"data":null,"error":"Relayer with ID nope not found"}');
});

test("serves the state of a given store, whatever the seed", async () => {
  const store = memoryStore(seedState("fleet:3"));
  expect((await served("/api/v1/relayers", { seed: "demo" }, { store })).total).toBe(3);
});

test("delays, limits, and fails requests as configured", async () => {
  const slept: number[] = [];
  const clock = {
    now: () => START,
    elapsed: () => 0,
    sleep: async (milliseconds: number) => {
      slept.push(milliseconds);
    },
  };
  const failures = [{ method: "GET", path: "*", status: 503, rate: 1 }];
  const failed = await served("/api/v1/relayers", { latency: 20, failures }, { clock });
  expect(failed.reply?.status).toBe(503);
  expect(slept[0]).toBe(20);
  const limited = await served("/api/v1/relayers", { rateLimit: { perSecond: 1, burst: 0 } });
  expect([limited.reply?.status, limited.reply?.headers["retry-after"]]).toEqual([429, "0"]);
});

test("ends during a long latency", async () => {
  const end = new AbortController();
  const clock = {
    now: () => START,
    elapsed: () => 0,
    sleep: (_: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        signal?.addEventListener("abort", () => resolve());
        end.abort();
      }),
  };
  const { reply } = await served("/api/v1/relayers", { latency: 3_600_000 }, { clock, interrupt: end.signal });
  expect(reply?.status).toBe(200);
});

test("reports an unreadable state before it listens", async () => {
  const lost = new Error("demo.json cannot be read");
  const store = { read: () => Promise.reject(lost), change: () => Promise.reject(lost) };
  const ports: number[] = [];
  const listening = async (port: number) => {
    ports.push(port);
  };
  await expect(served("/", { listening }, { store })).rejects.toBe(lost);
  expect(ports).toEqual([]);
});

test("refuses an unknown seed before it listens", () =>
  expect(served("/", { seed: "nope" })).rejects.toMatchObject({ failure: "usage" }));

const LATENCY = 777;

test("lets the time of transactions pass faster, but not the latency", async () => {
  const clock = steppedClock(START);
  const end = new AbortController();
  let delays = 0;
  const sleep: typeof clock.sleep = async (milliseconds, signal) => {
    if (milliseconds !== LATENCY) return await clock.sleep(milliseconds, signal);
    delays += 1;
  };
  const store = memoryStore(localState());
  const port = await new Promise<number>((resolve, reject) => {
    const options = { port: 0, token: "the-token", seed: "demo", speed: 10, latency: LATENCY, failures: [] } as const;
    const lines = {
      listening: async (found: number) => resolve(found),
      served: async () => {},
      delivered: async () => {},
    };
    serveEmbeddedServer(
      { ...options, ...lines, dialect: "interface" },
      {
        clock: { ...clock, sleep },
        random: { uuid: () => UUID, fraction: () => 0 },
        interrupt: end.signal,
        deliver: () => Promise.reject(new Error("nothing is delivered")),
        store,
      },
    ).catch(reject);
  });
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { authorization: "Bearer the-token", "content-type": "application/json" };
    const sent = body && { body: JSON.stringify(body) };
    const { text } = await rawRequest(port, { method, path: `/api/v1/relayers/local-1${path}`, headers, ...sent });
    return JSON.parse(text).data;
  };
  const { id } = await ask("POST", "/transactions", { to: LOCAL, value: 1, speed: "fast" });
  await clock.pass(5000);
  const record = await ask("GET", `/transactions/${id}`);
  end.abort();
  expect(record).toMatchObject({ status: "confirmed", confirmed_at: expect.stringContaining("03:12:53") });
  expect(delays).toBe(2);
});
