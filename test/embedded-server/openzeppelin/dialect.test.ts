import { openzeppelinDialect } from "../../../src/embedded-server/openzeppelin/dialect.ts";
import { tooLarge, unauthorized } from "../../../src/embedded-server/refusal.ts";
import { failureReply } from "../../../src/embedded-server/reply.ts";
import { askDemo, TOKEN } from "../ask.ts";
import { askService } from "./ask-service.ts";

const TEXT = "text/plain; charset=utf-8";

/** Returns a response's parts as one line. */
async function parts(...asked: Parameters<ReturnType<typeof askService>["ask"]>) {
  const { status, headers, text } = await askService().ask(...asked);
  return [status, headers["content-type"], text];
}

test("a success has an envelope with ordered fields and a null error", async () => {
  const [status, type, text] = await parts("GET", "/notifications?per_page=1");
  expect([status, type]).toEqual([200, "application/json"]);
  expect(text).toBe(
    '{"success":true,"data":[{"id":"audit-log","type":"webhook","url":"https://audit.example.org/relayer-events",' +
      '"has_signing_key":false}],"error":null,"pagination":{"current_page":1,"per_page":1,"total_items":4}}',
  );
});

test("a failure has its message in the error field", async () => {
  expect(await parts("GET", "/relayers/zz")).toEqual([
    404,
    "application/json",
    '{"success":false,"data":null,"error":"Relayer with ID zz not found"}',
  ]);
});

test("the interface dialect has its message in the message field", async () => {
  const { text } = await askDemo()("GET", "/relayers/zz");
  expect(text).toBe('{"success":false,"data":null,"message":"Relayer with ID zz not found"}');
});

test("there are two kinds of 401: JSON from the rate limiter, or without a content type", async () => {
  const { ask } = askService();
  const wrong = await ask("GET", "/relayers", undefined, { authorization: "Bearer wrong" });
  expect(wrong).toMatchObject({
    status: 401,
    text: '{"success":false,"code":401,"error":"Unauthorized","message":"Unauthorized"}',
  });
  expect(wrong.headers["content-type"]).toBeUndefined();
  expect(wrong.headers["x-request-id"]).toBeDefined();
  const { headers, text } = openzeppelinDialect({ uuid: () => "u" }).refuse(unauthorized(), {});
  expect(text).toBe('{"success": false, "code": 401, "error": "Unauthorized", "message": "Unauthorized"}');
  expect(headers).toEqual({ "content-type": "application/json", "x-relayctl-demo": "1" });
});

test.each([`bearer ${TOKEN}`, `Bearer  ${TOKEN}`])("refuses the credentials %j", async (authorization) => {
  expect((await askService().ask("GET", "/relayers", undefined, { authorization })).status).toBe(401);
});

test.each([
  ["GET", "/nothing"],
  ["PUT", "/relayers"],
  ["OPTIONS" as "GET", "/relayers"],
] as const)("%s %s is an unknown route: an empty 404 without a content type", async (method, path) => {
  expect(await parts(method, path)).toEqual([404, undefined, ""]);
});

test("extra slashes in a path are ignored", async () => {
  const { ask } = askService();
  expect((await ask("GET", "/relayers/")).status).toBe(200);
  expect((await ask("GET", "//relayers//evm-1")).status).toBe(200);
});

test("health and readiness need no token, unlike metrics", async () => {
  const { ask } = askService();
  const nobody = { authorization: "" };
  expect(await ask("GET", "/health", undefined, nobody)).toMatchObject({ status: 200, text: "OK" });
  expect((await ask("GET", "/ready", undefined, nobody)).status).toBe(200);
  expect((await ask("GET", "/metrics", undefined, nobody)).status).toBe(401);
});

test("a request ID is echoed or generated", async () => {
  const { ask } = askService();
  expect((await ask("GET", "/relayers", undefined, { "x-request-id": "my-id-1" })).headers["x-request-id"]).toBe(
    "my-id-1",
  );
  expect((await ask("GET", "/relayers")).headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
});

test("a rate-limited request gets a special body and no request ID", async () => {
  const { ask } = askService({ rateLimit: { perSecond: 1, burst: 0 } });
  const { status, headers, text } = await ask("GET", "/relayers");
  expect([status, text]).toEqual([
    429,
    '{ "success": false, "code":429, "error": "TooManyRequests", "message": "Too Many Requests", "after": 0}',
  ]);
  expect(headers).toEqual({
    "content-type": "application/json",
    "retry-after": "0",
    "x-ratelimit-after": "0",
    "x-relayctl-demo": "1",
  });
});

test("an injected 504 has the text of the service's timeout", async () => {
  const { ask } = askService({ failures: [{ method: "*", path: "*", status: 504, rate: 1 }] });
  const { status, headers, text } = await ask("GET", "/relayers");
  expect([status, headers["content-type"], headers["x-request-id"], text]).toEqual([
    504,
    TEXT,
    undefined,
    "Request handler timeout",
  ]);
});

test("an injected 500 has the service's message", async () => {
  const { ask } = askService({ failures: [{ method: "*", path: "*", status: 500, rate: 1 }] });
  expect((await ask("GET", "/relayers")).text).toBe(
    '{"success":false,"data":null,"error":"An unknown error occurred"}',
  );
});

test("an oversized body is reported as text", () => {
  const { status, headers, text } = openzeppelinDialect({ uuid: () => "u" }).refuse(tooLarge(2_097_152), {});
  expect([status, headers["content-type"]]).toEqual([413, TEXT]);
  expect(text).toBe("JSON payload has exceeded limit (2097152 bytes).");
  expect(failureReply(tooLarge(1)).headers["content-type"]).toBe("application/json");
});

// Recorded, section paging.
test.each([
  ["relayers?page=-1", "invalid digit found in string"],
  ["relayers?page=1.5", "invalid digit found in string"],
  ["notifications?per_page=abc", "invalid digit found in string"],
  ["relayers?page=", "cannot parse integer from empty string"],
  ["networks?page=4294967296", "number too large to fit in target type"],
  ["relayers?page=1&page=2", "duplicate field `page`"],
  ["relayers/evm-1/transactions?status=nope", "unknown transaction status: nope"],
  ["relayers/evm-1/transactions?status=", "unknown transaction status: "],
])("GET %s is a 400 as text: %s", async (path, why) => {
  expect(await parts("GET", `/${path}`)).toEqual([400, TEXT, `Query deserialize error: ${why}`]);
});

test.each([
  ["page=0", 0, 10, 0],
  ["per_page=0", 1, 0, 0],
  ["page=99", 99, 10, 0],
  ["per_page=1000000", 1, 1_000_000, 9],
  ["unknown=1", 1, 10, 9],
])("relayers?%s succeeds", async (query, current_page, per_page, count) => {
  const { items, json } = await askService().ask("GET", `/relayers?${query}`);
  expect(json?.pagination).toEqual({ current_page, per_page, total_items: 9 });
  expect(items).toHaveLength(count);
});

// Recorded: invalid JSON is a text on every endpoint, like an unknown type.
test.each([
  ["PATCH", "/relayers/evm-1"],
  ["POST", "/notifications"],
  ["PUT", "/relayers/evm-1/transactions/t1"],
] as const)("%s %s with a truncated body or another content type is a 400 as text", async (method, path) => {
  const [status, type, text] = await parts(method, path, "{");
  expect([status, type]).toEqual([400, TEXT]);
  expect(text).toMatch(/^Json deserialize error: .* at line 1 column \d+$/);
  expect(await parts(method, path, "{}", { "content-type": "text/html" })).toEqual([400, TEXT, "Content type error"]);
});

test("by-nonce with letters is a 404 as text", async () => {
  expect(await parts("GET", "/relayers/evm-1/transactions/by-nonce/abc")).toEqual([
    404,
    TEXT,
    'can not parse "abc" to a u64',
  ]);
});
