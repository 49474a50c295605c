import { expect, test } from "vitest";
import { unauthorized } from "../../src/embedded-server/refusal.ts";
import { failureReply } from "../../src/embedded-server/reply.ts";
import { closed, connected, started } from "./listening.ts";
import { rawRequest } from "./raw-request.ts";

/** A server that admits nobody, as one does that is asked without a token. */
const strict = () => started({ admits: () => false, answer: async () => failureReply(unauthorized()) });

/** All that a peer receives until the connection is closed. */
async function received(port: number, text: string): Promise<string> {
  const socket = await connected(port, text);
  let all = "";
  socket.on("data", (bytes) => {
    all += bytes;
  });
  await closed(socket);
  return all;
}

const head = (...lines: string[]) => ["POST /a HTTP/1.1", "Host: localhost", ...lines, "\r\n"].join("\r\n");

test.each([
  ["that is announced and never comes", head("Content-Length: 1000000")],
  ["in chunks that never end", `${head("Transfer-Encoding: chunked")}5\r\nhello\r\n`],
  ["that waits to be asked for", head("Content-Length: 1000000", "Expect: 100-continue")],
  ["that is complete", `${head("Content-Length: 5")}hello`],
  ["that there is not", head()],
])("without a token the 401 needs no more than the head, and the connection is closed: a body %s", async (_, text) => {
  const { port, lines } = await strict();
  const answer = await received(port, text);
  expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  expect(answer).toMatch(/^connection: close\r$/im);
  expect(answer).toMatch(/"message":"Unauthorized"\}$/);
  expect(lines).toMatchObject([{ status: 401 }]);
});

test("a second request after a 401 is not answered", async () => {
  const { port } = await strict();
  const answer = await received(port, `${head()}${head()}`);
  expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
});

test("a peer that is still sending its body sees the 401", async () => {
  const { port } = await strict();
  const reply = await rawRequest(port, { method: "POST", body: " ".repeat(1_500_000) });
  expect(reply.status).toBe(401);
});

test("a peer that waits to be asked for its body is asked once it is admitted", async () => {
  const { port, requests } = await started();
  const socket = await connected(port, head("Content-Length: 2", "Expect: 100-continue"));
  const first = await new Promise((resolve) => socket.once("data", resolve));
  expect(String(first)).toBe("HTTP/1.1 100 Continue\r\n\r\n");
  const second = new Promise((resolve) => socket.once("data", resolve));
  socket.write("{}");
  expect(String(await second)).toMatch(/^HTTP\/1\.1 200 /);
  expect(requests).toMatchObject([{ body: "{}" }]);
});

test.each([
  "http://evil.example.org",
  "https://evil.example.org",
  "http://localhost:3000",
  "http://127.0.0.1:1",
  "https://localhost",
  "http://localhost.evil.example.org",
  "null",
  "file://",
  "",
])("a page of the origin %j is refused from the head, and nobody is asked", async (origin) => {
  const { port, requests } = await started();
  for (const method of ["GET", "POST", "OPTIONS"]) {
    const reply = await rawRequest(port, { method, headers: { host: "localhost", origin } });
    expect([reply.status, reply.text]).toEqual([403, '{"success":false,"data":null,"message":"Origin not allowed"}']);
    expect(Object.keys(reply.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  }
  expect(requests).toEqual([]);
});

test("a foreign origin is refused although its body never comes", async () => {
  const { port } = await started();
  const answer = await received(port, head("Origin: http://evil.example.org", "Content-Length: 9"));
  expect(answer).toMatch(/^HTTP\/1\.1 403 /);
});

test("a second origin makes the first one foreign", async () => {
  const { port } = await started();
  const socket = await connected(port, head("Origin: http://localhost", "Origin: http://evil.example.org"));
  const first = await new Promise((resolve) => socket.once("data", resolve));
  expect(String(first)).toMatch(/^HTTP\/1\.1 403 /);
});

test.each(["http://localhost:8080", "HTTP://LOCALHOST:8080"])("its own origin is admitted: %s", async (origin) => {
  const { port } = await started();
  expect((await rawRequest(port, { headers: { host: "localhost:8080", origin } })).status).toBe(200);
});
