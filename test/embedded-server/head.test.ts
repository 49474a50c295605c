import { unauthorized } from "../../src/embedded-server/refusal.ts";
import { failureReply } from "../../src/embedded-server/reply.ts";
import { closed, connected, started } from "./listening.ts";
import { rawRequest } from "./raw-request.ts";

/** A server that admits nobody, as one does that is asked without a token. */
const strict = () => started({ admits: () => false, respond: async () => failureReply(unauthorized()) });

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
  ["that never arrives", head("Content-Length: 1000000")],
  ["in chunks that never end", `${head("Transfer-Encoding: chunked")}5\r\nhello\r\n`],
  ["that waits for 100 Continue", head("Content-Length: 1000000", "Expect: 100-continue")],
  ["that is complete", `${head("Content-Length: 5")}hello`],
  ["of zero bytes", head()],
])("without a token, the server sends a 401 after the head and closes the connection: a body %s", async (_, text) => {
  const { port, lines } = await strict();
  const answer = await received(port, text);
  expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  expect(answer).toMatch(/^connection: close\r$/im);
  expect(answer).toMatch(/"message":"Unauthorized"\}$/);
  expect(lines).toMatchObject([{ status: 401 }]);
});

test("a second request after a 401 gets no response", async () => {
  const { port } = await strict();
  const answer = await received(port, `${head()}${head()}`);
  expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
});

test("a client that is still sending its body receives the 401", async () => {
  const { port } = await strict();
  const reply = await rawRequest(port, { method: "POST", body: " ".repeat(1_500_000) });
  expect(reply.status).toBe(401);
});

test("a client that waits for 100 Continue receives it after its token is accepted", async () => {
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
])("a request with the origin %j is refused by its head, and no handler runs", async (origin) => {
  const { port, requests } = await started();
  for (const method of ["GET", "POST", "OPTIONS"]) {
    const reply = await rawRequest(port, { method, headers: { host: "localhost", origin } });
    expect([reply.status, reply.text]).toEqual([403, '{"success":false,"data":null,"message":"Origin not allowed"}']);
    expect(Object.keys(reply.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  }
  expect(requests).toEqual([]);
});

test("a foreign origin is refused even if the body never arrives", async () => {
  const { port } = await started();
  const answer = await received(port, head("Origin: http://evil.example.org", "Content-Length: 9"));
  expect(answer).toMatch(/^HTTP\/1\.1 403 /);
});

test("a request with two origins is refused", async () => {
  const { port } = await started();
  const socket = await connected(port, head("Origin: http://localhost", "Origin: http://evil.example.org"));
  const first = await new Promise((resolve) => socket.once("data", resolve));
  expect(String(first)).toMatch(/^HTTP\/1\.1 403 /);
});

test.each(["http://localhost:8080", "HTTP://LOCALHOST:8080"])(
  "a request with the server's own origin is accepted: %s",
  async (origin) => {
    const { port } = await started();
    expect((await rawRequest(port, { headers: { host: "localhost:8080", origin } })).status).toBe(200);
  },
);
