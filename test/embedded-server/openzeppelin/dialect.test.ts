import { openzeppelinDialect } from "../../../src/embedded-server/openzeppelin/dialect.ts";
import { tooLarge, unauthorized } from "../../../src/embedded-server/refusal.ts";
import { failureReply } from "../../../src/embedded-server/reply.ts";
import { askService } from "./ask-service.ts";

const TEXT = "text/plain; charset=utf-8";

/** Returns a response's parts as one line. */
async function parts(...asked: Parameters<ReturnType<typeof askService>["ask"]>) {
  const { status, headers, text } = await askService().ask(...asked);
  return [status, headers["content-type"], text];
}

test("only a 401 of the rate limiter, for a request without credentials, has no request ID", async () => {
  const wrong = await askService().ask("GET", "/relayers", undefined, { authorization: "Bearer wrong" });
  expect(wrong.headers["x-request-id"]).toBeDefined();
  const { headers } = openzeppelinDialect({ uuid: () => "u" }).refuse(unauthorized(), {});
  expect(headers).toEqual({ "content-type": "application/json", "x-relayctl-demo": "1" });
});

test("an unknown method is an unknown route: an empty 404 without a content type", async () =>
  expect(await parts("OPTIONS" as "GET", "/relayers")).toEqual([404, undefined, ""]));

test("metrics need a token", async () =>
  expect((await askService().ask("GET", "/metrics", undefined, { authorization: "" })).status).toBe(401));

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

test.each([
  ["notifications?per_page=abc", "invalid digit found in string"],
  ["relayers?page=", "cannot parse integer from empty string"],
])("GET %s is a 400 as text: %s", async (path, why) =>
  expect(await parts("GET", `/${path}`)).toEqual([400, TEXT, `Query deserialize error: ${why}`]),
);
