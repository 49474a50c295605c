import type { Socket } from "node:net";
import { nodeWithChainIdentity } from "../../../src/chain/node/chain-identity.ts";
import { boundedNode, nodeWithFallback, relayerNode } from "../../../src/chain/node/node.ts";
import { urlNode } from "../../../src/chain/node/url-node.ts";
import { type Client, createClient } from "../../../src/client/client.ts";
import { openTransport } from "../../../src/client/transport.ts";
import type { JsonObject } from "../../../src/contract/json.ts";
import { type Failure, RelayctlError } from "../../../src/errors.ts";
import { open } from "../../client/transport/network.ts";
import { type Act, answers, hangs, resets, writes } from "../../helpers/service/raw-server.ts";
import { testClientContext } from "../../helpers/test-link.ts";
import { fakeNode, fault } from "../fake-node.ts";

describe("a node of the network's chain", () => {
  test("gets one request for its chain ID, before all others", async () => {
    const node = fakeNode((method) => (method === "eth_chainId" ? "0x1" : "0x2a"));
    const checked = nodeWithChainIdentity(node, 1n);
    expect(await checked.ask("eth_blockNumber", [])).toEqual({ value: "0x2a" });
    await checked.ask("eth_blockNumber", []);
    expect(node.asked.map(({ method }) => method)).toEqual(["eth_chainId", "eth_blockNumber", "eth_blockNumber"]);
  });

  test("is rejected permanently if it is on another chain", async () => {
    const node = fakeNode(() => "0x89");
    const checked = nodeWithChainIdentity(node, 1n);
    const words = "the node of evm-1 is on chain 137, the network is chain 1";
    expect(await checked.ask("eth_blockNumber", [])).toEqual(fault("wrong_chain", words));
    await checked.ask("eth_blockNumber", []);
    expect(node.asked).toHaveLength(1);
  });

  test("gets another request for its chain ID after a failure", async () => {
    let isDown = true;
    const node = fakeNode(() => (isDown ? fault("unreachable") : "0x1"));
    const checked = nodeWithChainIdentity(node, 1n);
    expect(await checked.ask("eth_blockNumber", [])).toEqual(fault("unreachable"));
    isDown = false;
    expect(await checked.ask("eth_blockNumber", [])).toEqual({ value: "0x1" });
  });

  test.each([[null], ["mainnet"], [1], [[]]])("%j is not a chain ID", async (result) => {
    expect(
      await nodeWithChainIdentity(
        fakeNode(() => result),
        1n,
      ).ask("eth_blockNumber", []),
    ).toMatchObject({
      fault: { kind: "unreadable" },
    });
  });
});

describe("a node with limits", () => {
  test("gets no more requests than the limit", async () => {
    const node = fakeNode(() => "0x1");
    const few = boundedNode(node, { calls: 2 });
    const results = [await few.ask("a", []), await few.ask("b", []), await few.ask("c", [])];
    expect(results).toEqual([
      { value: "0x1" },
      { value: "0x1" },
      fault("exhausted", "2 requests to the node were not enough"),
    ]);
    expect(node.asked).toHaveLength(2);
  });

  test("gets no requests after the time limit", async () => {
    const node = fakeNode(() => "0x1");
    let left = 1;
    const short = boundedNode(node, { calls: 9, remaining: () => left-- });
    expect(await short.ask("a", [])).toEqual({ value: "0x1" });
    expect(await short.ask("b", [])).toEqual(fault("exhausted", "the time limit was reached"));
    expect(node.asked).toHaveLength(1);
  });
});

describe("a relayer's node that refuses requests", () => {
  const refusing = (name: string) => fakeNode(() => fault("refused", `${name} is paused`), name);
  const willing = (name: string) => fakeNode(() => "0x1", name);

  test("is replaced by the first sibling that accepts them, with the sibling's name", async () => {
    const [own, paused, sibling] = [refusing("own"), refusing("paused"), willing("sibling")];
    let searches = 0;
    const node = nodeWithFallback(own, async () => {
      searches++;
      return [paused, sibling];
    });
    expect(node.name).toBe("own");
    expect(await node.ask("eth_chainId", [])).toEqual({ value: "0x1" });
    await node.ask("eth_chainId", []);
    expect([node.name, own.asked.length, paused.asked.length, sibling.asked.length, searches]).toEqual([
      "sibling",
      1,
      1,
      2,
      1,
    ]);
  });

  test("is a fault if no sibling accepts them, and siblings are listed once", async () => {
    let searches = 0;
    const node = nodeWithFallback(refusing("own"), async () => {
      searches++;
      return [];
    });
    expect(await node.ask("a", [])).toEqual(fault("refused", "own is paused"));
    await node.ask("b", []);
    expect(searches).toBe(1);
  });

  test("is not replaced after any other fault", async () => {
    const node = nodeWithFallback(
      fakeNode(() => fault("unreachable")),
      () => Promise.reject(new Error("searched")),
    );
    expect(await node.ask("a", [])).toEqual(fault("unreachable"));
  });
});

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

describe("a relayer's node", () => {
  type Rpc = Client["relayers"]["rpc"];

  const rpcOf = (respond: Rpc) => ({ rpc: respond });
  const resulting =
    (data: JsonObject): Rpc =>
    () =>
      Promise.resolve({ data, body: new Uint8Array(), unconfirmed: [] });
  const failing =
    (failure: Failure, options = {}): Rpc =>
    () =>
      Promise.reject(new RelayctlError(failure, "words", options));

  test("gets a read-only request", async () => {
    const sent: unknown[] = [];
    const rpc: Rpc = (id, request, options) => {
      sent.push([id, request, options]);
      return resulting({ jsonrpc: "2.0", result: "0x1", id: 1 })(id, request);
    };
    expect(await relayerNode(rpcOf(rpc), "evm-1").ask("eth_chainId", [])).toEqual({ value: "0x1" });
    expect(sent).toEqual([["evm-1", { jsonrpc: "2.0", method: "eth_chainId", params: [] }, { withNewId: true }]]);
  });

  test("is not believed after a shifted response, and the connection is not kept", async () => {
    const ids: number[] = [];
    const server = await open((socket, request) => {
      ids.push(JSON.parse(request.split("\r\n\r\n")[1] ?? "").id);
      const id = ids.length === 2 ? ids[0] : ids.at(-1);
      answers(200, JSON.stringify({ jsonrpc: "2.0", id, result: `0x${ids.length}` }))(socket, request);
    });
    const transport = openTransport({ origin: server.origin, caCertificates: [] });
    const node = relayerNode(createClient(testClientContext(transport)).relayers, "evm-1");
    expect(await node.ask("eth_chainId", [])).toEqual({ value: "0x1" });
    expect(await node.ask("eth_chainId", [])).toMatchObject({ fault: { kind: "unreadable" } });
    expect(await node.ask("eth_chainId", [])).toEqual({ value: "0x3" });
    expect([new Set(ids).size, server.connections()]).toEqual([3, 2]);
  });

  test("is never sent a method that may write", async () => {
    const node = relayerNode(
      rpcOf(() => Promise.reject(new Error("sent"))),
      "evm-1",
    );
    await expect(node.ask("eth_sendRawTransaction", ["0x00"])).rejects.toMatchObject({ failure: "internal" });
  });

  test.each<[string, number, string]>([
    ["a revert", 3, "reverted"],
    ["a missing method", -32_601, "no_method"],
    ["a missing method of Hardhat", -32_004, "no_method"],
    ["missing state", -32_000, "failed"],
    ["a limit", -32_005, "limited"],
  ])("reports %s by the node's own code", async (_, code, kind) => {
    const cause = { code: -32_603, message: "Internal error", description: `RPC error occurred (code: ${code})` };
    const node = relayerNode(rpcOf(failing("rejected", { cause, because: [cause.description] })), "evm-1");
    expect(await node.ask("eth_call", [])).toMatchObject({
      fault: { kind, code, words: `words: RPC error occurred (code: ${code})` },
    });
  });

  test.each<[Failure, object, string]>([
    ["conflict", { http: { status: 403, method: "POST", path: "/" } }, "refused"],
    ["network", {}, "unreachable"],
    ["server", { http: { status: 502, method: "POST", path: "/" } }, "unreachable"],
    ["server", { http: { status: 200, method: "POST", path: "/" } }, "unreadable"],
    ["rate_limited", {}, "limited"],
    ["auth", {}, "failed"],
    ["not_found", {}, "failed"],
  ])("reports a failure of the service, %s %j, as a fault", async (failure, options, kind) => {
    expect(await relayerNode(rpcOf(failing(failure, options)), "evm-1").ask("eth_call", [])).toMatchObject({
      fault: { kind, words: "words", cause: { failure } },
    });
  });

  test("ends the command after an interrupt", async () => {
    const node = relayerNode(rpcOf(failing("interrupted")), "evm-1");
    await expect(node.ask("eth_call", [])).rejects.toMatchObject({ failure: "interrupted" });
  });
});
