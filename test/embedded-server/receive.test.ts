import { EventEmitter, once } from "node:events";
import { request } from "node:http";
import type { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { incomingHead, incomingWithBody } from "../../src/embedded-server/incoming.ts";
import { invalidToken } from "../../src/embedded-server/refusal.ts";
import { failureReply } from "../../src/embedded-server/reply.ts";
import { stoppedClock } from "./ask.ts";
import { closed, connected, ends, started } from "./listening.ts";
import { rawRequest } from "./raw-request.ts";
import { receiving } from "./receiving.ts";

describe("the receiver", () => {
  const MIB = 2 ** 20;
  const HEAD = "POST /hook HTTP/1.1\r\nHost: localhost\r\n";

  /** What the server sends on a connection until it closes it. */
  function allOf(socket: Socket): Promise<string> {
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    return new Promise((resolve) => socket.on("close", () => resolve(text)));
  }

  test("passes head and body on, byte for byte", async () => {
    const { port, requests } = await receiving();
    const body = Uint8Array.of(0x7b, 0xff, 0xfe, 0x00, 0x0d, 0x7d);
    const reply = await rawRequest(port, { method: "POST", path: "/a?b=%20", headers: { "X-Signature": "s" }, body });
    expect(reply.status).toBe(204);
    expect(requests).toMatchObject([{ method: "POST", target: "/a?b=%20", headers: { "x-signature": "s" } }]);
    expect(Buffer.from(requests[0]?.body ?? []).equals(body)).toBe(true);
  });

  test("accepts any host, since a tunnel keeps the name of the sender's side", async () => {
    const { port } = await receiving();
    expect((await rawRequest(port, { method: "POST", headers: { host: "hooks.example.org" } })).status).toBe(204);
  });

  test("listens on loopback only, unless other machines may send", async () => {
    const own = await receiving();
    await expect(connected(own.port, "", "127.0.0.2")).rejects.toThrow(/ECONNREFUSED|EADDRNOTAVAIL/);
    const open = await receiving({ isPublic: true });
    await connected(open.port, "", "127.0.0.2");
  });

  test("joins the chunks of a body", async () => {
    const { port, requests } = await receiving();
    const socket = await connected(port, `${HEAD}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\n{"\r\n`);
    const text = allOf(socket);
    socket.write('3\r\na":\r\n2\r\n1}\r\n0\r\n\r\n');
    expect(await text).toMatch(/^HTTP\/1\.1 204 /);
    expect(Buffer.from(requests[0]?.body ?? []).toString()).toBe('{"a":1}');
  });

  test("requests the body of a client that expects 100 Continue, but not one that is too large or refused", async () => {
    const { port, requests, lost } = await receiving();
    const [ready, large, refused] = await Promise.all([
      connected(port, `${HEAD}Expect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n`),
      connected(port, `${HEAD}Expect: 100-continue\r\nContent-Length: ${MIB + 1}\r\n\r\n`),
      connected(port, "PUT / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"),
    ]);
    const texts = [allOf(ready), allOf(large), allOf(refused)];
    await new Promise((resolve) => ready.once("data", resolve));
    ready.write("{}");
    const [first, second, third] = await Promise.all(texts);
    expect(first).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 204 /);
    expect(second).toMatch(/^HTTP\/1\.1 413 /);
    expect(third).toMatch(/^HTTP\/1\.1 405 .*allow: POST/s);
    expect([requests.length, lost]).toEqual([1, ["too large"]]);
  });

  test("accepts a body of the limit, and refuses one byte more", async () => {
    const { port, requests, lost } = await receiving();
    expect((await rawRequest(port, { method: "POST", body: " ".repeat(MIB) })).status).toBe(204);
    expect((await rawRequest(port, { method: "POST", body: " ".repeat(MIB + 1) })).status).toBe(413);
    expect([requests.length, lost]).toEqual([1, ["too large"]]);
  });

  test("refuses a body that turns out to be too large, however much more is sent", async () => {
    const { port, requests, lost } = await receiving({ clock: stoppedClock() });
    const socket = await connected(port, `${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    const text = allOf(socket);
    socket.on("error", () => {});
    const chunk = `10000\r\n${" ".repeat(2 ** 16)}\r\n`;
    for (let sent = 0; sent <= 20; sent++) socket.write(chunk);
    await new Promise((resolve) => socket.once("data", resolve));
    socket.end("0\r\n\r\n");
    expect(await text).toMatch(/^HTTP\/1\.1 413 /);
    expect([requests.length, lost]).toEqual([0, ["too large"]]);
  });

  test("counts a body that is too large once, if its sender leaves after the response", async () => {
    const { port, lost } = await receiving();
    const socket = await connected(port, `${HEAD}Expect: 100-continue\r\nContent-Length: ${MIB + 1}\r\n\r\n`);
    await once(socket, "data");
    socket.end();
    await once(socket, "close");
    expect(lost).toEqual(["too large"]);
  });

  test("refuses further bodies while the held ones take all the room", async () => {
    const held = new EventEmitter();
    const respond = async ({ body }: { body: Uint8Array }) => {
      held.emit("begun");
      if (body.length === MIB) await once(held, "released");
      return { status: 204, headers: {}, text: "" };
    };
    const { port, lost } = await receiving({ maxHeld: MIB, respond });
    const begun = once(held, "begun");
    const first = rawRequest(port, { method: "POST", body: " ".repeat(MIB) });
    await begun;
    expect((await rawRequest(port, { method: "POST", body: "{}" })).headers).toMatchObject({ "retry-after": "1" });
    held.emit("released");
    expect((await first).status).toBe(204);
    expect((await rawRequest(port, { method: "POST", body: "{}" })).status).toBe(204);
    expect(lost).toEqual(["busy"]);
  });

  const FAST = { headersTimeout: 20, requestTimeout: 20, connectionsCheckingInterval: 10 };

  test.each([
    ["head", "POST / HTTP/1.1\r\nHo"],
    ["body", `${HEAD}Content-Length: 9\r\n\r\n{`],
  ])("ends a request whose %s takes too long, and counts it once", async (_, text) => {
    const { port, requests, lost } = await receiving({ limits: FAST });
    const socket = await connected(port, text);
    expect(await allOf(socket)).toMatch(/^HTTP\/1\.1 408 /);
    await setImmediate();
    expect([requests.length, lost]).toEqual([0, ["slow"]]);
  });

  test.each([
    ["no HTTP", "\u0000\u0001\u0002\r\n\r\n", "400"],
    ["two lengths", `${HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, "400"],
    ["a length and chunks", `${HEAD}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, "400"],
    ["a head that is too large", `${HEAD}X-Long: ${"x".repeat(2 ** 15)}\r\n\r\n`, "431"],
  ])("refuses %s", async (_, text, status) => {
    const { port, requests, lost } = await receiving();
    expect(await allOf(await connected(port, text))).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect([requests.length, lost]).toEqual([0, ["malformed"]]);
  });

  test.each(["destroy", "resetAndDestroy"] as const)(
    "counts a sender that leaves within its body (%s) once",
    async (leave) => {
      const { port, requests, lost } = await receiving();
      const socket = await connected(port, `${HEAD}Content-Length: 9\r\n\r\n{`);
      socket[leave]();
      expect((await rawRequest(port, { method: "POST", body: "{}" })).status).toBe(204);
      while (lost.length === 0) await setImmediate();
      expect([requests.length, lost]).toEqual([1, ["cut"]]);
    },
  );

  test("drops connections above the limit", async () => {
    const { port, lost } = await receiving({ limits: { connections: 2 } });
    await Promise.all([connected(port, ""), connected(port, "")]);
    await closed(await connected(port, ""));
    expect(lost).toEqual(["too many connections"]);
  });

  test("ends on its signal, also while senders are in the middle of a request", async () => {
    const { port, done, interrupt } = await receiving({ clock: stoppedClock() });
    const sockets = await Promise.all(
      ["", "POST", `${HEAD}Content-Length: 9\r\n\r\n{`].map((text) => connected(port, text)),
    );
    const gone = Promise.all(sockets.map(closed));
    interrupt.abort();
    await Promise.all([done, gone]);
  });

  test("ends with the error of the function, also after its sender left", async () => {
    const fault = new Error("the output is closed");
    const { port, done } = await receiving({
      respond: async () => {
        sent.destroy();
        await setImmediate();
        throw fault;
      },
    });
    const outcome = expect(done).rejects.toBe(fault);
    const sent = request({ host: "127.0.0.1", port, method: "POST" });
    ends.push(async () => sent.destroy());
    sent.on("error", () => {}).end("{}");
    await outcome;
  });
});

/** A server that admits nobody, as one does that is asked without a token. */
const strict = () => started({ admits: () => false, respond: async () => failureReply(invalidToken()) });

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

const HOST = { host: "localhost" };
const incoming = (headers: Record<string, string>, body: () => AsyncIterator<Uint8Array>) => {
  const request = {
    method: "POST",
    url: "/a",
    headers: { ...HOST, ...headers },
    rawHeaders: Object.entries({ ...HOST, ...headers }).flat(),
    [Symbol.asyncIterator]: body,
  };
  return incomingWithBody(incomingHead(request), request);
};

async function* text(): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode("{}");
}

test.each([{ "content-length": "2" }, { "transfer-encoding": "chunked" }])(
  "reads a body with the header %j",
  async (headers) => expect((await incoming(headers as Record<string, string>, text)).body).toBe("{}"),
);

test("does not wait for a body without a length or chunks", async () => {
  const never = () => ({ next: () => new Promise<never>(() => {}) });
  expect(await incoming({}, never)).toEqual({ method: "POST", target: "/a", headers: HOST });
});
