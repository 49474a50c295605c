import { createServer } from "node:net";
import type { Connection, TransportFailure } from "../../src/client/transport/transport.ts";
import type { WireRequest } from "../../src/contract/wire.ts";
import { closedPort } from "../helpers/service/closed-port.ts";
import { listenInTest } from "../helpers/service/listen.ts";
import { type Act, answers, hangs, type RawServer, resets, writes } from "../helpers/service/raw-server.ts";
import { errorOf } from "../helpers/test-link.ts";
import { GET, type Limits, network, open, PUT } from "./transport/network.ts";

/** Two libraries and three kinds of connection, and no difference between them in any of this. */
describe.each<Connection>(["own", "kept", "pooled"])("over a connection that is %s", (connection) => {
  const networkTo = (origin: string, proxy?: string) => network(connection, origin, proxy);

  async function failureOf(server: RawServer, request: WireRequest, limits: Limits = {}): Promise<TransportFailure> {
    return (await errorOf(networkTo(server.origin)(request, limits))) as TransportFailure;
  }

  describe("a response", () => {
    test("has its status, headers, and bytes", async () => {
      const server = await open(answers(201, '{"a":"é"}', { "X-Request-Id": "7" }));
      const reply = await networkTo(server.origin)(PUT);
      expect(reply.status).toBe(201);
      expect(reply.headers["x-request-id"]).toBe("7");
      expect(new TextDecoder().decode(reply.body)).toBe('{"a":"é"}');
    });

    test("is complete if it comes in chunks, byte by byte, after early hints", async () => {
      const server = await open((socket) => {
        const parts =
          "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n";
        for (const part of parts) socket.write(part);
      });
      expect(await networkTo(server.origin)(GET)).toMatchObject({ status: 200, body: Buffer.from("{}") });
    });

    test.each([204, 304])("has no body with status %i", async (status) => {
      const server = await open(writes(`HTTP/1.1 ${status} Words\r\n\r\n`));
      expect(await networkTo(server.origin)(GET)).toMatchObject({ status, body: Buffer.alloc(0) });
    });

    test("with a redirect is returned without following the redirect", async () => {
      const elsewhere = await open(answers(200, "{}"));
      for (const status of [301, 302, 303, 307, 308]) {
        const server = await open(answers(status, "", { location: `${elsewhere.origin}/stolen` }));
        expect(await networkTo(server.origin)(PUT)).toMatchObject({ status });
      }
      expect(elsewhere.connections()).toBe(0);
    });
  });

  describe("a request", () => {
    test("is sent unchanged", async () => {
      const server = await open(answers(200, "{}"));
      await networkTo(server.origin)(PUT);
      const [received = ""] = server.received;
      expect(received).toMatch(/^PUT \/api\/v1\/x HTTP\/1\.1\r\n/);
      expect(received).toContain("authorization: Bearer token\r\n");
      expect(received).toContain("content-length: 11\r\n");
      expect(received).toMatch(/\r\n\r\n\{"value":1\}$/);
    });

    test("is sent once, whatever the response", async () => {
      for (const act of [resets, answers(503, ""), answers(429, "", { "retry-after": "0" })]) {
        const server = await open(act);
        await networkTo(server.origin)(PUT).catch(() => {});
        expect(server.received).toHaveLength(1);
      }
    });
  });

  describe("a request certainly was not sent", () => {
    test("if the connection is refused", async () => {
      const error = await errorOf(networkTo(`http://127.0.0.1:${await closedPort()}`)(PUT));
      expect(error).toMatchObject({
        reason: "connect",
        sent: false,
        message: expect.stringContaining("connection refused"),
      });
    });

    test("if the host name does not exist", async () =>
      expect(await errorOf(networkTo("http://name.invalid:1")(PUT))).toMatchObject({ reason: "dns", sent: false }));

    test("if the request was ended before the start", async () => {
      const server = await open(answers(200, "{}"));
      const failure = await failureOf(server, PUT, { signal: AbortSignal.abort("interrupted") });
      expect(failure).toMatchObject({ reason: "interrupted", sent: false });
      expect(server.received).toEqual([]);
    });

    test("if the server does not speak TLS", async () => {
      const server = createServer((socket) => void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
      const error = await errorOf(networkTo(`https://127.0.0.1:${await listenInTest(server)}`)(PUT));
      expect(error).toMatchObject({ reason: "tls", sent: false });
    });
  });

  describe("a request may have been applied", () => {
    test("if the connection is reset", async () =>
      expect(await failureOf(await open(resets), PUT)).toMatchObject({
        reason: "reset",
        sent: true,
        status: undefined,
      }));

    test("if the connection is closed without a response", async () => {
      const server = await open((socket) => void socket.end());
      expect(await failureOf(server, PUT)).toMatchObject({ reason: "reset", sent: true, status: undefined });
    });

    test.each([
      ["a truncated body", "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{}"],
      ["truncated chunks", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n64\r\n{}"],
    ])("if the response has %s", async (_, text) => {
      const server = await open((socket) => void socket.end(text));
      expect(await failureOf(server, PUT)).toMatchObject({ reason: "reset", sent: true, status: 200 });
    });

    test.each([
      ["garbage", "SSH-2.0-OpenSSH_9.6\r\n\r\n"],
      ["an unexpected 100 Continue", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"],
      ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}"],
      ["a length and chunks", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"],
      ["endless headers", `HTTP/1.1 200 OK\r\n${`x: ${"y".repeat(1000)}\r\n`.repeat(40)}\r\n`],
    ])("if the response has %s", async (_, text) => {
      expect(await failureOf(await open(writes(text)), PUT)).toMatchObject({ reason: "protocol", sent: true });
    });

    test("if no response comes in time", async () => {
      const ended = new AbortController();
      const server = await open(() => ended.abort("timeout"));
      expect(await failureOf(server, PUT, { signal: ended.signal })).toMatchObject({ reason: "timeout", sent: true });
    });

    test("if the rest of the response does not come in time", async () => {
      const ended = new AbortController();
      const server = await open((socket) => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{}", () =>
          setImmediate(() => ended.abort("timeout")),
        );
      });
      expect(await failureOf(server, PUT, { signal: ended.signal })).toMatchObject({ reason: "timeout", sent: true });
    });

    test("if the user interrupts", async () => {
      const ended = new AbortController();
      const server = await open(() => ended.abort("interrupted"));
      expect(await failureOf(server, PUT, { signal: ended.signal })).toMatchObject({
        reason: "interrupted",
        sent: true,
      });
    });
  });

  describe("the encoding and size of a response", () => {
    test.each(["gzip", "br", "zstd", "deflate", "GZIP, identity"])("refuses encoding %s", async (encoding) => {
      const server = await open(answers(200, "{}", { "content-encoding": encoding }));
      expect(await failureOf(server, GET)).toMatchObject({ reason: "encoding", sent: true, status: 200 });
    });

    test("accepts encoding identity", async () => {
      const server = await open(answers(200, "{}", { "content-encoding": "identity" }));
      expect(await networkTo(server.origin)(GET)).toMatchObject({ status: 200 });
    });

    test("refuses a length header above the limit before the body is read", async () => {
      const server = await open(writes("HTTP/1.1 200 OK\r\ncontent-length: 1001\r\n\r\n"));
      expect(await failureOf(server, GET, { maxBytes: 1000 })).toMatchObject({ reason: "too_large", status: 200 });
    });

    test("refuses a body above the limit without reading further", async () => {
      let stopped = () => {};
      const closed = new Promise<void>((resolve) => {
        stopped = resolve;
      });
      const server = await open((socket) => {
        socket.on("close", () => stopped());
        socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
        const flood = () => {
          while (!socket.destroyed && socket.write(`400\r\n${"x".repeat(1024)}\r\n`));
        };
        socket.on("drain", flood);
        flood();
      });
      expect(await failureOf(server, GET, { maxBytes: 4096 })).toMatchObject({ reason: "too_large", status: 200 });
      await closed;
    });

    test("accepts exactly the maximum size", async () => {
      const server = await open(answers(200, "x".repeat(1000)));
      expect((await networkTo(server.origin)(GET, { maxBytes: 1000 })).body).toHaveLength(1000);
    });
  });

  test("the message of a failure has the host, but neither path nor token", async () => {
    const server = await open(resets);
    const { message } = await failureOf(server, PUT);
    expect(message).toBe(`${new URL(server.origin).host}: the connection was closed before the response was complete`);
  });

  describe("a proxy", () => {
    const tunnelled = (received: string[]) => received.map((text) => text.split("\r\n")[0]);

    test("is asked for a tunnel, and never receives the token", async () => {
      const proxy = await open(writes("HTTP/1.1 200 Connection established\r\n\r\n"), answers(200, "{}"));
      await networkTo("http://relayer.example:80", proxy.origin)(PUT);
      expect(tunnelled(proxy.received)).toEqual(["CONNECT relayer.example:80 HTTP/1.1", "PUT /api/v1/x HTTP/1.1"]);
      expect(proxy.received[0]).not.toContain("token");
    });

    test.each([403, 407, 502])("that responds with %i has forwarded nothing", async (status) => {
      const proxy = await open(answers(status, "no"));
      const error = await errorOf(
        networkTo("http://relayer.example:80", proxy.origin.replace("//", "//user:s3cret@"))(PUT),
      );
      expect(error).toMatchObject({ reason: "proxy", sent: false, message: expect.stringContaining("proxy") });
      expect(error.message).not.toContain("s3cret");
    });

    test("that is not reachable has forwarded nothing", async () => {
      const error = await errorOf(
        networkTo("http://relayer.example:80", `http://127.0.0.1:${await closedPort()}`)(PUT),
      );
      expect(error).toMatchObject({ reason: "proxy", sent: false });
    });

    test("that hangs is abandoned", async () => {
      const ended = new AbortController();
      const proxy = await open(() => ended.abort("timeout"));
      const error = await errorOf(networkTo("http://relayer.example:80", proxy.origin)(PUT, { signal: ended.signal }));
      expect(error).toMatchObject({ reason: "timeout", sent: false });
    });
  });

  describe("no connection stays open", () => {
    test.each<[string, Act, WireRequest]>([
      ["a response to a read", answers(200, "{}"), GET],
      ["a response to a write", answers(200, "{}"), PUT],
      ["a reset", resets, PUT],
      ["a refused response", answers(200, "x".repeat(5000)), GET],
    ])("after %s", async (_, act, request) => {
      const server = await open(act);
      await networkTo(server.origin)(request).catch(() => {});
      await new Promise((resolve) => setImmediate(resolve));
      expect(referencedSockets(server)).toEqual([]);
    });

    test("after an abandoned attempt", async () => {
      const ended = new AbortController();
      const server = await open(hangs);
      const failure = failureOf(server, GET, { signal: ended.signal });
      setImmediate(() => ended.abort("timeout"));
      await failure;
      expect(referencedSockets(server)).toEqual([]);
    });
  });
});

/** Client sockets to this server that would keep a process from ending. */
function referencedSockets(server: RawServer): string[] {
  const port = Number(new URL(server.origin).port);
  const handles = (
    process as unknown as { _getActiveHandles(): { remotePort?: number; destroyed?: boolean }[] }
  )._getActiveHandles();
  return handles.filter(({ remotePort, destroyed }) => remotePort === port && !destroyed).map(() => "a socket");
}
