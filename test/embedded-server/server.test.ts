import fc from "fast-check";
import { type JsonValue, writeJson } from "../../src/contract/json.ts";
import { createReplyCache, replyDataText } from "../../src/embedded-server/reply.ts";
import { RelayctlError } from "../../src/errors.ts";
import { askDemo, stoppedClock, TOKEN } from "./ask.ts";

const MAIN_TX = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const broken = { read: () => Promise.reject(new Error("lost")), change: () => Promise.reject(new Error("lost")) };

// interface 1.4, row by row, with the statuses of facts 1.9.
test.each([
  ["a malformed request", "PATCH", "/relayers/eth-main-1", "{", 400, "Bad Request"],
  ["an invalid request", "PATCH", "/relayers/eth-main-1", '{"paused":"yes"}', 400, "Bad Request"],
  [
    "a replacement on a missing relayer",
    "PUT",
    `/relayers/nope/transactions/${MAIN_TX}`,
    '{"value":1}',
    404,
    "Not found",
  ],
  [
    "a replacement of a missing transaction",
    "PUT",
    "/relayers/eth-main-1/transactions/nope",
    '{"value":1}',
    404,
    "Not found",
  ],
  ["an update of a missing relayer", "PATCH", "/relayers/nope", "{}", 404, "Relayer with ID nope not found"],
  ["an update of a missing notification", "PATCH", "/notifications/nope", "{}", 404, "Notification not found"],
  [
    "a notification whose ID is in use",
    "POST",
    "/notifications",
    '{"id":"ops-hook","url":"https://x.example.org"}',
    409,
    "Notification with this ID already exists",
  ],
] as const)("refuses %s", async (_, method, path, body, status, message) => {
  const reply = await askDemo()(method, path, body);
  expect(reply.status).toBe(status);
  expect(reply.text).toBe(`{"success":false,"data":null,"message":"${message}"}`);
});

test("refuses a request without credentials", async () => {
  const reply = await askDemo()("GET", "/relayers", undefined, { authorization: "" });
  expect(reply.status).toBe(401);
  expect(reply.text).toBe('{"success":false,"data":null,"message":"Unauthorized"}');
});

test("responds with 500 to an internal error", async () => {
  const reply = await askDemo({ store: broken })("GET", "/relayers");
  expect(reply.status).toBe(500);
  expect(reply.text).toBe('{"success":false,"data":null,"message":"Internal Server Error"}');
});

test("throws if the state cannot be read", async () => {
  const unreadable = new RelayctlError("usage", "demo.json is no JSON");
  const store = { ...broken, read: () => Promise.reject(unreadable) };
  await expect(askDemo({ store })("GET", "/relayers")).rejects.toBe(unreadable);
});

test.each([
  `bearer ${TOKEN}`,
  `Bearer  ${TOKEN}`,
  `Bearer ${TOKEN} `,
  `Bearer ${TOKEN}x`,
  `Bearer ${TOKEN.slice(1)}`,
  "Bearer ",
  "Bearer demo-token-of-the-testt",
])("refuses the credentials %j", async (authorization) => {
  const reply = await askDemo()("GET", "/relayers", undefined, { authorization });
  expect(reply.status).toBe(401);
});

test("checks the token before the route and the body", async () => {
  const ask = askDemo();
  const bad = { authorization: "Bearer wrong" };
  expect((await ask("GET", "/nowhere", undefined, bad)).status).toBe(401);
  expect((await ask("PATCH", "/relayers/nope", "{", bad)).status).toBe(401);
});

test.each([
  ["GET", "/nowhere"],
  ["GET", "/relayers/"],
  ["GET", "/relayers/a/b"],
  ["PUT", "/relayers/eth-main-1"],
  ["POST", "/relayers/eth-main-1"],
  ["GET", "/../relayers"],
] as const)("responds to %s %s with an empty 404", async (method, path) => {
  const reply = await askDemo()(method, path);
  expect(reply).toMatchObject({ status: 404, text: "" });
  expect(reply.headers).toEqual({ "x-relayctl-demo": "1" });
});

test("marks every response as one of the demo", async () => {
  const ask = askDemo();
  const marks = { "content-type": "application/json", "x-relayctl-demo": "1" };
  expect((await ask("GET", "/relayers")).headers).toEqual(marks);
  expect((await ask("GET", "/relayers/nope")).headers).toEqual(marks);
  expect((await ask("GET", "/relayers", undefined, { authorization: "" })).headers).toEqual(marks);
});

test("refuses a parameter that is badly percent-encoded", async () => {
  const reply = await askDemo()("GET", "/relayers/%E0%A4%A");
  expect([reply.status, reply.json?.message]).toEqual([400, "Bad Request"]);
});

test("decodes a parameter", async () => {
  const reply = await askDemo()("GET", "/relayers/a%2Fb%20c");
  expect(reply.json?.message).toBe("Relayer with ID a/b c not found");
});

test.each([
  ["no content type", ""],
  ["another content type", "text/plain"],
  ["a content type that only begins like JSON", "application/jsonx"],
])("refuses a body with %s", async (_, type) => {
  const reply = await askDemo()("PATCH", "/relayers/eth-main-1", "{}", { "content-type": type });
  expect([reply.status, reply.json?.message]).toEqual([400, "Bad Request"]);
});

test.each(["application/json; charset=utf-8", "Application/JSON", "application/merge-patch+json"])(
  "accepts a body of type %s",
  async (type) => {
    const reply = await askDemo()("PATCH", "/relayers/eth-main-1", "{}", { "content-type": type });
    expect(reply.status).toBe(200);
  },
);

test.each([
  "",
  "null",
  "[]",
  "7",
  '"text"',
  '{"paused":true,"paused":false}',
  '\ufeff{"paused":true}',
  '{"name":"\\ud800"}',
  '{"paused":true} x',
])("refuses the body %j", async (body) => {
  const reply = await askDemo()("PATCH", "/relayers/eth-main-1", body);
  expect([reply.status, reply.json?.message]).toEqual([400, "Bad Request"]);
});

test("waits before each response for the configured latency, also before a refusal", async () => {
  const clock = stoppedClock();
  const ask = askDemo({ clock, latency: 20 });
  await ask("GET", "/relayers");
  await ask("GET", "/relayers", undefined, { authorization: "" });
  expect(clock.slept).toEqual([20, 20]);
});

test("refuses requests above the rate, and accepts requests again as time passes", async () => {
  const clock = stoppedClock();
  const ask = askDemo({ clock, rateLimit: { perSecond: 10, burst: 2 } });
  const statuses = async (count: number) => {
    const found: number[] = [];
    for (let asked = 0; asked < count; asked++) found.push((await ask("GET", "/relayers")).status);
    return found;
  };
  expect(await statuses(3)).toEqual([200, 200, 429]);
  clock.time += 100;
  expect(await statuses(2)).toEqual([200, 429]);
  clock.time += 60_000;
  expect(await statuses(3)).toEqual([200, 200, 429]);
});

test("refuses requests above the rate with the interface's message and Retry-After: 0", async () => {
  const ask = askDemo({ rateLimit: { perSecond: 1, burst: 1 } });
  await ask("GET", "/relayers");
  const reply = await ask("PATCH", "/relayers/eth-main-1", { paused: true });
  expect(reply.status).toBe(429);
  expect(reply.headers["retry-after"]).toBe("0");
  expect(reply.text).toBe('{"success":false,"data":null,"message":"Too Many Requests"}');
});

test("injects a configured failure before anything is changed", async () => {
  const ask = askDemo({ failures: [{ method: "PATCH", path: "/api/v1/relayers/*", status: 500, rate: 1 }] });
  const failed = await ask("PATCH", "/relayers/eth-main-1", { paused: true });
  expect([failed.status, failed.json?.message]).toEqual([500, "Internal Server Error"]);
  expect((await ask("GET", "/relayers/eth-main-1")).data.paused).toBe(false);
});

test("checks the token before it injects a failure", async () => {
  const ask = askDemo({ failures: [{ method: "*", path: "*", status: 503, rate: 1 }] });
  expect((await ask("GET", "/relayers", undefined, { authorization: "" })).status).toBe(401);
});

describe("a response", () => {
  test("writes every value as JSON, and the items of a list the same every time", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (given) => {
        const value = given as JsonValue;
        const list = [value, value];
        const memo = createReplyCache();
        expect([replyDataText(value, memo), replyDataText(list, memo), replyDataText(list, memo)]).toEqual(
          [value, list, list].map(writeJson),
        );
      }),
    );
  });

  test("keeps every digit of an item", () => {
    const item = { id: "r", policies: { gas_price_cap: 2n ** 128n - 1n } };
    const text = '[{"id":"r","policies":{"gas_price_cap":340282366920938463463374607431768211455}}]';
    const memo = createReplyCache();
    expect([replyDataText([item], memo), replyDataText([item], memo)]).toEqual([text, text]);
  });
});

describe("the memo", () => {
  /** A function that notes what it was asked. */
  function counting() {
    const asked: string[] = [];
    const memo = createReplyCache();
    const nameOf = ({ name }: { name: string }) => {
      asked.push(name);
      return name === "none" ? undefined : name.toUpperCase();
    };
    return { asked, memo, named: (thing: { name: string }) => memo(nameOf, thing) };
  }

  test("calls the function once for each object, even if the result is undefined", () => {
    const { asked, named } = counting();
    const things = [{ name: "a" }, { name: "none" }];
    expect([...things, ...things].map(named)).toEqual(["A", undefined, "A", undefined]);
    expect(asked).toEqual(["a", "none"]);
  });

  test("distinguishes equal objects by identity", () => {
    const { asked, named } = counting();
    expect([{ name: "a" }, { name: "a" }].map(named)).toEqual(["A", "A"]);
    expect(asked).toEqual(["a", "a"]);
  });

  test("keeps separate results for each function", () => {
    const { memo, named } = counting();
    const thing = { name: "a" };
    expect([named(thing), memo(({ name }) => name, thing), named(thing)]).toEqual(["A", "a", "A"]);
  });

  test("recomputes the same result after many other objects", () => {
    const { asked, named } = counting();
    const first = { name: "first" };
    expect(named(first)).toBe("FIRST");
    for (let index = 0; index < 2000; index++) named({ name: `other ${index}` });
    expect(named(first)).toBe("FIRST");
    expect(asked.filter((name) => name === "first")).toHaveLength(2);
  });
});
