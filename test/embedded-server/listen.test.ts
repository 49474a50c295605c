import { Agent, request } from "node:http";
import type { Socket } from "node:net";
import { ClosedConnection } from "../../src/embedded-server/middleware/failures.ts";
import { RelayctlError } from "../../src/errors.ts";
import { stoppedClock } from "./ask.ts";
import { closed, connected, ends, hello, started } from "./listening.ts";
import { rawRequest } from "./raw-request.ts";

const MOST = 2_097_152;

test("passes the whole request to the function, and returns its response", async () => {
  const { port, requests } = await started();
  const reply = await rawRequest(port, {
    method: "PATCH",
    path: "/api/v1/x?y=%20",
    headers: { Authorization: "Bearer t" },
    body: "{}é",
  });
  expect(reply).toMatchObject({ status: 200, text: "hello" });
  expect(reply.headers).toMatchObject({ "x-relayctl-demo": "1", "content-length": "5" });
  expect(requests).toMatchObject([
    { method: "PATCH", target: "/api/v1/x?y=%20", headers: { authorization: "Bearer t" }, body: "{}é" },
  ]);
});

test("joins a repeated authorization header, so that neither token is valid", async () => {
  const { port, requests } = await started();
  const lines = ["GET / HTTP/1.1", "host: localhost", "Authorization: Bearer t", "authorization: Bearer t", "\r\n"];
  const socket = await connected(port, lines.join("\r\n"));
  await new Promise((resolve) => socket.once("data", resolve));
  expect(requests).toMatchObject([{ headers: { authorization: "Bearer t, Bearer t" } }]);
});

test("passes a request without a body as one without a body", async () => {
  const { port, requests } = await started();
  await rawRequest(port);
  expect(requests[0]).not.toHaveProperty("body");
});

test("listens on 127.0.0.1 and no other address", async () => {
  const { port } = await started();
  await expect(connected(port, "", "127.0.0.2")).rejects.toThrow(/ECONNREFUSED|EADDRNOTAVAIL/);
});

test.each(["127.0.0.1", "127.0.0.1:80", "localhost", "LOCALHOST:49213", "[::1]:8080"])(
  "accepts a request for %s",
  async (host) => {
    const { port } = await started();
    expect((await rawRequest(port, { headers: { host } })).status).toBe(200);
  },
);

test.each([
  "evil.example.org",
  "127.0.0.1.example.org",
  "localhost.example.org:80",
  "example.org:127",
  "0.0.0.0",
  "127.0.0.1@example.org",
])("refuses a request for %j without calling the function", async (host) => {
  const { port, requests } = await started();
  const reply = await rawRequest(port, { headers: { host } });
  expect(reply.status).toBe(421);
  expect(reply.text).toBe('{"success":false,"data":null,"message":"Misdirected Request"}');
  expect(reply.headers).toMatchObject({ "x-relayctl-demo": "1" });
  expect(requests).toEqual([]);
});

test("refuses a request without a host", async () => {
  const { port, requests } = await started();
  const socket = await connected(port, "GET / HTTP/1.0\r\n\r\n");
  const first = await new Promise((resolve) => socket.once("data", resolve));
  expect(String(first)).toMatch(/^HTTP\/1\.1 421 /);
  expect(requests).toEqual([]);
});

test.each([
  ["no HTTP", "GARBAGE\r\n\r\n", 400],
  ["no host", "GET / HTTP/1.1\r\nconnection: close\r\n\r\n", 421],
  ["long headers", `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${"a".repeat(40_000)}\r\n\r\n`, 431],
  ["an unknown expectation", "GET / HTTP/1.1\r\nhost: localhost\r\nexpect: a miracle\r\n\r\n", 417],
  ["a malformed chunk", "POST / HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n", 400],
])("a response to a request with %s has the header of the embedded server", async (_, text, status) => {
  const { port } = await started();
  const socket = await connected(port, text);
  const first = String(await new Promise((resolve) => socket.once("data", resolve)));
  socket.destroy();
  expect(first).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(first).toContain("x-relayctl-demo: 1\r\n");
});

test.each(["OPTIONS", "HEAD", "TRACE"])("has no route for %s", async (method) => {
  const { port } = await started();
  const reply = await rawRequest(port, { method });
  expect([reply.status, reply.text]).toEqual([404, ""]);
  expect(reply.headers).not.toHaveProperty("access-control-allow-origin");
});

test("accepts a body of 2 MiB, and refuses one byte more", async () => {
  const { port, requests } = await started();
  expect((await rawRequest(port, { method: "POST", body: " ".repeat(MOST) })).status).toBe(200);
  const refused = await rawRequest(port, { method: "POST", body: " ".repeat(MOST + 1) });
  expect(refused.status).toBe(413);
  expect(refused.text).toContain("(2097153 bytes) is larger than allowed (limit: 2097152 bytes)");
  expect(refused.headers).toMatchObject({ "x-relayctl-demo": "1" });
  expect(requests).toHaveLength(1);
});

test("refuses an oversized body without a length header", async () => {
  const { port } = await started();
  const headers = { "transfer-encoding": "chunked" };
  expect((await rawRequest(port, { method: "POST", headers, body: " ".repeat(MOST + 1) })).status).toBe(413);
});

test("refuses a body that is not UTF-8", async () => {
  const { port, requests } = await started();
  const reply = await rawRequest(port, { method: "POST", body: Uint8Array.of(0x22, 0xff, 0x22) });
  expect([reply.status, reply.text]).toEqual([400, '{"success":false,"data":null,"message":"Bad Request"}']);
  expect(requests).toEqual([]);
});

test("leaves a byte order mark to the function", async () => {
  const { port, requests } = await started();
  await rawRequest(port, { method: "POST", body: "\ufeff{}" });
  expect(requests[0]?.body).toBe("\ufeff{}");
});

test("reports each request, including refused ones", async () => {
  const { port, lines } = await started();
  await rawRequest(port, { path: "/a?b=1" });
  await rawRequest(port, { method: "PUT", path: "/c", headers: { host: "example.org" } });
  const milliseconds = expect.any(Number);
  expect(lines).toEqual([
    { method: "GET", target: "/a?b=1", status: 200, milliseconds },
    { method: "PUT", target: "/c", status: 421, milliseconds },
  ]);
});

test("keeps a connection open for the next request", async () => {
  const { port } = await started();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  ends.push(async () => agent.destroy());
  const reused = () =>
    new Promise<boolean>((resolve, reject) => {
      const sent = request({ host: "127.0.0.1", port, agent }, (response) => {
        response.on("end", () => resolve(sent.reusedSocket));
        response.resume();
      });
      sent.on("error", reject).end();
    });
  expect([await reused(), await reused()]).toEqual([false, true]);
});

test("ends on the signal despite an idle connection", async () => {
  const { port, done, interrupt } = await started();
  const socket = await connected(port, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await new Promise((resolve) => socket.once("data", resolve));
  const gone = closed(socket);
  interrupt.abort();
  await Promise.all([done, gone]);
  await expect(rawRequest(port)).rejects.toThrow(/ECONNREFUSED|ECONNRESET/);
});

test("ends on the signal despite an unfinished request", async () => {
  const { port, done, interrupt } = await started({ clock: stoppedClock() });
  const socket = await connected(port, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{");
  const gone = closed(socket);
  interrupt.abort();
  await Promise.all([done, gone]);
});

test("completes a request that is in progress at the signal", async () => {
  const server = await started({
    respond: async () => {
      server.interrupt.abort();
      await new Promise(setImmediate);
      return hello;
    },
  });
  expect((await rawRequest(server.port)).status).toBe(200);
  await server.done;
});

test("ends immediately if the signal is already aborted", async () => {
  const { done } = await started({ interrupt: AbortSignal.abort() });
  await done;
});

test("shows the port that is in use", async () => {
  const { port } = await started();
  const second = started({ port });
  await expect(second).rejects.toThrow(RelayctlError);
  await expect(second).rejects.toMatchObject({
    failure: "usage",
    message: `--port ${port}: is in use by another program; 0 takes any free port`,
  });
});

test("keeps running after a client leaves during its request", async () => {
  const { port, requests } = await started();
  const socket = await connected(port, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{");
  socket.resetAndDestroy();
  expect((await rawRequest(port)).status).toBe(200);
  expect(requests).toHaveLength(1);
});

test("keeps running after a client leaves before the response", async () => {
  const peers: Socket[] = [];
  const { port, lines } = await started({
    respond: async () => {
      await Promise.all(peers.splice(0).map((peer) => closed(peer.destroy())));
      return hello;
    },
  });
  const socket = await connected(port, "");
  peers.push(socket);
  socket.write("GET /gone HTTP/1.1\r\nHost: localhost\r\n\r\n");
  expect((await rawRequest(port, { path: "/here" })).status).toBe(200);
  expect(lines.map(({ target }) => target)).toContain("/here");
});

test("responds with 500 and ends if the function rejects", async () => {
  const lost = new RelayctlError("usage", "the state cannot be read");
  const { port, done } = await started({ respond: () => Promise.reject(lost) });
  const outcome = expect(done).rejects.toBe(lost);
  const reply = await rawRequest(port);
  expect([reply.status, reply.text]).toEqual([500, '{"success":false,"data":null,"message":"Internal Server Error"}']);
  await outcome;
});

test("closes the connection without a response for an injected failure, and keeps running", async () => {
  const answers = [() => Promise.reject(new ClosedConnection()), async () => hello];
  const { port } = await started({ respond: async () => await (answers.shift() ?? (async () => hello))() });
  await expect(rawRequest(port)).rejects.toThrow("socket hang up");
  expect((await rawRequest(port)).status).toBe(200);
});

test("ends if the output is closed", async () => {
  const gone = new Error("EPIPE");
  const { port, done } = await started({ served: () => Promise.reject(gone) });
  const outcome = expect(done).rejects.toBe(gone);
  expect((await rawRequest(port)).status).toBe(200);
  await outcome;
});

test("stops listening if the port cannot be reported", async () => {
  const ports: number[] = [];
  const gone = new Error("EPIPE");
  const listening = (port: number) => {
    ports.push(port);
    return Promise.reject(gone);
  };
  await expect(started({ listening })).rejects.toBe(gone);
  await expect(rawRequest(ports[0] ?? 0)).rejects.toThrow("ECONNREFUSED");
});
