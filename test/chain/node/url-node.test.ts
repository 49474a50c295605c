import { urlNode } from "../../../src/chain/node/url-node.ts";
import { type Transport, TransportFailure } from "../../../src/client/transport/transport.ts";
import type { WireRequest } from "../../../src/contract/wire.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { reply } from "../../helpers/service/reply.ts";

const KEY = "k3y-of-a-provider";
const URL_WITH_KEY = `https://rpc.example.org/v3/${KEY}?plan=enterprise`;

function nodeOver(transport: Transport, { url = URL_WITH_KEY, interrupt = new AbortController().signal } = {}) {
  return urlNode({ url, transport, clock: manualClock(), timeout: 30_000, interrupt });
}

const idOf = ({ body = "" }: WireRequest): number => JSON.parse(body).id;
const result = (value: unknown, request: WireRequest) =>
  reply(200, { jsonrpc: "2.0", id: idOf(request), result: value });
const failed = (error: object, request: WireRequest) => reply(200, { jsonrpc: "2.0", id: idOf(request), error });
const failing = (reason: TransportFailure["reason"]) => new TransportFailure(reason, "words", { sent: true });

test("gets JSON-RPC requests without the service's token", async () => {
  const sent: WireRequest[] = [];
  const node = nodeOver(async (request) => {
    sent.push(request);
    return result("0x1", request);
  });
  expect(await node.ask("eth_chainId", [])).toEqual({ value: "0x1" });
  expect(sent).toMatchObject([{ method: "POST", target: `/v3/${KEY}?plan=enterprise` }]);
  expect(Object.keys(sent[0]?.headers ?? {})).not.toContain("authorization");
  expect(JSON.parse(sent[0]?.body ?? "")).toMatchObject({ jsonrpc: "2.0", method: "eth_chainId", params: [] });
});

test("has a masked name", () =>
  expect(nodeOver(async (request) => result(null, request)).name).toBe("https://rpc.example.org/***"));

test("gets the user name and password of its URL", async () => {
  const sent: WireRequest[] = [];
  const transport: Transport = async (request) => {
    sent.push(request);
    return result(null, request);
  };
  await nodeOver(transport, { url: "https://me:p%40ss@rpc.example.org/" }).ask("eth_chainId", []);
  expect(sent[0]?.headers.authorization).toBe(`Basic ${btoa("me:p@ss")}`);
});

test("returns errors with their code, and without the key", async () => {
  const error = { code: -32_601, message: `no method for ${KEY} at ${URL_WITH_KEY}` };
  const node = nodeOver(async (request) => failed(error, request));
  const found = await node.ask("eth_simulateV1", []);
  expect(found).toMatchObject({ fault: { kind: "no_method", code: -32_601 } });
  expect(JSON.stringify(found)).not.toContain(KEY);
  expect(JSON.stringify(found)).toContain("no method for *** at https://rpc.example.org/***");
});

test.each([
  ["the whole URL", "https://bob:hunter2@rpc.example.org/k3y-77?apikey=q-77-q"],
  ["an encoded key", "https://rpc.example.org/v1/aaaaaaaaaaaaaaaa%2Bb?token=%41bcdef"],
  ["an encoded user name", "https://key%40me:pass%2Bword@rpc.example.org/"],
])("never quotes the key of its URL: %s", async (_, url) => {
  const { username, password, pathname, search } = new URL(url);
  const parts = [username, password, pathname.split("/").at(-1) ?? "", search.split("=")[1] ?? ""];
  const keys = parts.flatMap((part) => [part, decodeURIComponent(part)]).filter((part) => part !== "");
  const node = nodeOver(
    async (request) => {
      const { target, headers } = request;
      const message = [url, target, decodeURIComponent(target), headers.authorization, ...keys].join(" ");
      return failed({ code: -32_000, message }, request);
    },
    { url },
  );
  const shown = JSON.stringify(await node.ask("eth_chainId", []));
  for (const key of [...keys, btoa(`${username}:${password}`)]) expect(shown).not.toContain(key);
  expect(shown).toContain("JSON-RPC error -32000: https://rpc.example.org/");
});

test("never quotes a part of its key at the end of a shortened text", async () => {
  for (let length = 0; length < 700; length++) {
    const error = { code: -32_000, message: "x".repeat(length) + KEY };
    const node = nodeOver(async (request) => failed(error, request));
    expect(JSON.stringify(await node.ask("eth_chainId", []))).not.toContain("k3y");
  }
});

test.each<[string, ReturnType<typeof reply>, string]>([
  ["429", reply(429, "slow down"), "limited"],
  ["429 with an error", reply(429, { jsonrpc: "2.0", id: null, error: { code: -32_000, message: "x" } }), "limited"],
  ["401", reply(401, "no key"), "failed"],
  ["502", reply(502, "bad gateway"), "unreachable"],
  ["an HTML page", reply(200, "<html>"), "unreadable"],
  ["a list", reply(200, "[]"), "unreadable"],
  ["an object without a result", reply(200, "{}"), "unreadable"],
  ["nothing", reply(200, ""), "unreadable"],
  ["a null", reply(200, "null"), "unreadable"],
])("reports %s as a fault", async (_, response, kind) => {
  expect(await nodeOver(async () => response).ask("eth_chainId", [])).toMatchObject({ fault: { kind } });
});

test("gets another ID with each request", async () => {
  const ids: number[] = [];
  const node = nodeOver(async (request) => {
    ids.push(idOf(request));
    return result(null, request);
  });
  for (let count = 0; count < 3; count++) await node.ask("eth_chainId", []);
  expect(new Set(ids).size).toBe(3);
});

test.each<[string, (id: number) => object]>([
  ["another ID", (id) => ({ id: id - 1, result: "0x1" })],
  ["the ID as text", (id) => ({ id: String(id), result: "0x1" })],
  ["no ID", () => ({ result: "0x1" })],
  ["a null as ID", () => ({ id: null, result: "0x1" })],
  ["another ID in an error", (id) => ({ id: id + 1, error: { code: 3, message: "execution reverted" } })],
])("is not believed with %s, and the connection is not kept", async (_, respond) => {
  const own: (boolean | undefined)[] = [];
  const node = nodeOver(async (request, { isOwn }) => {
    const response = reply(200, { jsonrpc: "2.0", ...respond(idOf(request)) });
    own.push(isOwn?.(response));
    return response;
  });
  expect(await node.ask("eth_chainId", [])).toEqual({
    fault: { kind: "unreadable", words: "the response has a different ID than the request" },
  });
  expect(own).toEqual([false]);
});

test("may send an error without an ID if it did not read the request", async () => {
  const error = { code: -32_005, message: "slow down" };
  const node = nodeOver(async () => reply(200, { jsonrpc: "2.0", id: null, error }));
  expect(await node.ask("eth_chainId", [])).toMatchObject({ fault: { kind: "limited", code: -32_005 } });
});

test("gets a second request if the first connection breaks, but not a third", async () => {
  let attempts = 0;
  const breaking = nodeOver((request) =>
    attempts++ === 0 ? Promise.reject(failing("reset")) : Promise.resolve(result("0x1", request)),
  );
  expect(await breaking.ask("eth_chainId", [])).toEqual({ value: "0x1" });
  expect(await nodeOver(() => Promise.reject(failing("reset"))).ask("a", [])).toMatchObject({
    fault: { kind: "unreachable" },
  });
});

test("returns at most 8 MiB", async () => {
  const limits: number[] = [];
  const node = nodeOver((_, { maxBytes }) => {
    limits.push(maxBytes);
    return Promise.reject(failing("too_large"));
  });
  expect(await node.ask("eth_chainId", [])).toMatchObject({ fault: { kind: "unreadable" } });
  expect(limits).toEqual([8 * 2 ** 20]);
});

test("is a fault after the time limit", async () => {
  const clock = { now: () => 0, sleep: () => Promise.resolve() };
  const transport: Transport = (_, { signal }) =>
    new Promise((_, reject) =>
      signal.addEventListener("abort", () => reject(failing(signal.reason === "timeout" ? "timeout" : "reset"))),
    );
  const interrupt = new AbortController().signal;
  const node = urlNode({ url: URL_WITH_KEY, transport, clock, timeout: 1, interrupt });
  expect(await node.ask("eth_chainId", [])).toMatchObject({ fault: { kind: "unreachable", words: "words" } });
});

test("ends the command after an interrupt", async () => {
  const interrupt = new AbortController();
  const transport: Transport = (_, { signal }) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(failing("interrupted"))));
  const asking = nodeOver(transport, { interrupt: interrupt.signal }).ask("eth_chainId", []);
  interrupt.abort();
  await expect(asking).rejects.toMatchObject({ failure: "interrupted" });
  await expect(nodeOver(transport, { interrupt: interrupt.signal }).ask("a", [])).rejects.toMatchObject({
    failure: "interrupted",
  });
});
