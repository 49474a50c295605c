import { EventEmitter, once } from "node:events";
import { request } from "node:http";
import type { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { stoppedClock } from "./ask.ts";
import { closed, connected, ends } from "./listening.ts";
import { rawRequest } from "./raw-request.ts";
import { receiving } from "./receiving.ts";

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
