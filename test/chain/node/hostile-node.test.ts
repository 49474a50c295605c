import type { Socket } from "node:net";
import { urlNode } from "../../../src/chain/node/url-node.ts";
import { openTransport } from "../../../src/client/transport.ts";
import { open } from "../../client/transport/network.ts";
import { type Act, answers, hangs, resets, writes } from "../../helpers/service/raw-server.ts";

const KEY = "k3y-of-a-provider";
const MIB = 2 ** 20;
const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

/** Asks a user's own node at a real socket, with an attempt that ends when the test says so. */
function nodeAt(origin: string, timeUp: Promise<void> = new Promise(() => {})) {
  return urlNode({
    url: `${origin}/v3/${KEY}`,
    transport: openTransport({ origin, caCertificates: [] }),
    clock: { now: () => 0, sleep: () => timeUp },
    timeout: 30_000,
    interrupt: new AbortController().signal,
  });
}

function floods(head: string, text: string): Act {
  return (socket) => {
    socket.write(head);
    const more = () => {
      while (!socket.destroyed && socket.write(text));
      if (!socket.destroyed) socket.once("drain", more);
    };
    more();
  };
}

const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once("close", () => resolve()));

test.each<[string, Act, string, string]>([
  ["announces 100 MB", writes(`${HEAD}content-length: ${100 * MIB}\r\n\r\n`), "unreadable", "larger than 8 MiB"],
  ["never ends its response", floods(`${HEAD}\r\n`, " ".repeat(65_536)), "unreadable", "larger than 8 MiB"],
  [
    "never ends its chunks",
    floods(`${HEAD}transfer-encoding: chunked\r\n\r\n`, `10000\r\n${" ".repeat(65_536)}\r\n`),
    "unreadable",
    "larger than 8 MiB",
  ],
  ["never ends its header", floods(HEAD, `x: ${"y".repeat(8_192)}\r\n`), "unreadable", "does not speak HTTP"],
  [
    "compresses its response",
    writes(`${HEAD}content-encoding: gzip\r\ncontent-length: 1000\r\n\r\n`),
    "unreadable",
    "compressed",
  ],
  [
    "closes the connection in the middle",
    (socket) => void socket.end(`${HEAD}content-length: 100\r\n\r\n{`),
    "unreachable",
    "closed",
  ],
  ["resets the connection", resets, "unreachable", "closed"],
  ["switches protocols", writes("HTTP/1.1 101 OK\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"), "unreadable", "HTTP"],
  ["sends levels without an end", answers(200, "[".repeat(MIB)), "unreadable", "not JSON-RPC"],
  ["sends millions of values", answers(200, `{"id":1,"result":[${"0,".repeat(2 * MIB)}0]}`), "unreadable", "JSON-RPC"],
])("that %s is a fault, and its connection is closed", async (_, act, kind, words) => {
  const closing: Promise<void>[] = [];
  const server = await open((socket, request) => {
    if (kind === "unreadable" && !words.includes("JSON-RPC")) closing.push(closed(socket));
    act(socket, request);
  });
  const found = await nodeAt(server.origin).ask("eth_chainId", []);
  expect(found).toMatchObject({ fault: { kind, words: expect.stringContaining(words) } });
  expect(JSON.stringify(found)).not.toContain(KEY);
  await Promise.all(closing);
  expect(server.received.length).toBeLessThanOrEqual(2);
});

test("that redirects is not followed", async () => {
  const other = await open(answers(200, "{}"));
  const server = await open(answers(307, "", { location: `${other.origin}/` }));
  expect(await nodeAt(server.origin).ask("eth_chainId", [])).toEqual({
    fault: { kind: "failed", words: "the node returned HTTP 307" },
  });
  expect(other.received).toEqual([]);
});

test.each<[string, Act]>([
  ["hangs", hangs],
  ["drips its header", writes("HTTP/1.1 200 O")],
  ["drips its response", writes(`${HEAD}content-length: 40\r\n\r\n{"jsonrpc"`)],
])("that %s is a fault when the time is up", async (_, act) => {
  let timeUp = () => {};
  const up = new Promise<void>((resolve) => {
    timeUp = resolve;
  });
  let closing: Promise<void> | undefined;
  const server = await open((socket, request) => {
    closing = closed(socket);
    act(socket, request);
    timeUp();
  });
  const found = await nodeAt(server.origin, up).ask("eth_chainId", []);
  expect(found).toMatchObject({ fault: { kind: "unreachable", words: expect.stringContaining("in time") } });
  expect(JSON.stringify(found)).not.toContain(KEY);
  await closing;
  expect(server.received).toHaveLength(1);
});
