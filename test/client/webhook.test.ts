import { createServer, type IncomingMessage } from "node:http";
import { setImmediate } from "node:timers/promises";
import { postWebhook } from "../../src/client/post-webhook.ts";
import { TransportFailure } from "../../src/client/transport/transport.ts";
import { deliverWebhook } from "../../src/client/webhook.ts";
import { listenInTest } from "../helpers/service/listen.ts";
import { rawServer } from "../helpers/service/raw-server.ts";
import { steppedClock } from "../helpers/stepped-clock.ts";

async function receiver(status: number) {
  const got: { request: IncomingMessage; body: string }[] = [];
  const raw: Buffer[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    raw.push(Buffer.concat(chunks));
    got.push({ request, body: Buffer.concat(chunks).toString() });
    response.writeHead(status, { location: "/elsewhere" }).end("thanks");
  });
  return { got, raw, url: `http://127.0.0.1:${await listenInTest(server)}/hook?key=1` };
}

const headers = { "content-type": "application/json", "x-signature": "abc=" };
const body = '{"name":"☂"}';
const never = new AbortController().signal;
const clock = steppedClock();

test("posts the body unchanged, and returns the status", async () => {
  const { got, url } = await receiver(204);
  expect(await postWebhook({ url, headers, body }, never, { clock })).toBe(204);
  expect(got).toMatchObject([{ request: { method: "POST", url: "/hook?key=1", headers }, body }]);
  expect(got[0]?.request.headers).not.toHaveProperty("authorization");
});

test("posts bytes that are not text unchanged", async () => {
  const bytes = Uint8Array.of(0xff, 0x00, 0xfe, 0x0a);
  const { raw, url } = await receiver(200);
  expect(await postWebhook({ url, headers, body: bytes }, never, { clock })).toBe(200);
  expect(raw).toEqual([Buffer.from(bytes)]);
});

test("does not follow a redirect", async () => {
  const { got, url } = await receiver(307);
  expect(await postWebhook({ url, headers, body }, never, { clock })).toBe(307);
  expect(got).toHaveLength(1);
});

test.each([
  ["is larger than the limit", `content-length: 2000000\r\n\r\n${"a".repeat(2_000_000)}`],
  ["breaks off", "content-length: 100\r\n\r\nabc"],
  ["is compressed", "content-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc"],
])("returns the status of a response whose body %s, as the service ignores it", async (_, rest) => {
  const server = await rawServer((socket) => void socket.end(`HTTP/1.1 200 OK\r\n${rest}`));
  onTestFinished(() => void server.close());
  expect(await postWebhook({ url: server.origin, headers, body }, never, { clock })).toBe(200);
});

test("returns the status of a response whose body never ends, unless the signal ended it", async () => {
  const failing = (reason: "timeout" | "interrupted") => () =>
    Promise.reject(new TransportFailure(reason, "too late", { sent: true, status: 202 }));
  const bounds = { clock, interrupt: never, timeout: 1 };
  const delivery = { url: "http://127.0.0.1:9/", headers, body };
  expect(await deliverWebhook(delivery, failing("timeout"), bounds)).toMatchObject({ status: 202 });
  await expect(deliverWebhook(delivery, failing("interrupted"), bounds)).rejects.toThrow("too late");
});

test("fails if nothing listens, and if the signal is aborted", async () => {
  await expect(postWebhook({ url: "http://127.0.0.1:1/", headers, body }, never, { clock })).rejects.toThrow();
  const { url, got } = await receiver(200);
  await expect(postWebhook({ url, headers, body }, AbortSignal.abort("interrupted"), { clock })).rejects.toThrow();
  expect(got).toEqual([]);
});

test("fails for a URL that is not HTTP", () =>
  expect(postWebhook({ url: "ftp://127.0.0.1/x", headers, body }, never, { clock })).rejects.toThrow());

test("gives up after ten seconds", async () => {
  const server = createServer(() => {});
  const url = `http://127.0.0.1:${await listenInTest(server)}/`;
  let isOver = false;
  const post = postWebhook({ url, headers, body }, never, { clock }).catch((error: Error) => {
    isOver = true;
    return error;
  });
  await clock.pass(9_999);
  expect(isOver).toBe(false);
  await clock.pass(1);
  while (!isOver) await setImmediate();
  expect(await post).toMatchObject({ name: "TransportFailure" });
});
