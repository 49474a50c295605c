import { describe, expect, test } from "vitest";
import { relayerNode } from "../../../src/chain/node/relayer-node.ts";
import { openNode } from "../../../src/chain/open-node.ts";
import type { Client } from "../../../src/client/client.ts";
import type { JsonObject } from "../../../src/contract/json.ts";
import { type Failure, RelayctlError } from "../../../src/errors.ts";

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

describe("a relayer's node", () => {
  test("gets a read-only request", async () => {
    const sent: unknown[] = [];
    const rpc: Rpc = (id, request) => {
      sent.push([id, request]);
      return resulting({ jsonrpc: "2.0", result: "0x1", id: 1 })(id, request);
    };
    expect(await relayerNode(rpcOf(rpc), "evm-1").ask("eth_chainId", [])).toEqual({ value: "0x1" });
    expect(sent).toEqual([["evm-1", { jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] }]]);
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

describe("the node of a paused relayer", () => {
  const refused = failing("conflict", { http: { status: 403, method: "POST", path: "/" } });
  const active = {
    network: "mainnet",
    network_type: "evm",
    paused: false,
    system_disabled: false,
    custom_rpc_urls: null,
  };
  const all: JsonObject[] = [
    { id: "evm-1", ...active, paused: true },
    { id: "other-network", ...active, network: "sepolia" },
    { id: "own-nodes", ...active, custom_rpc_urls: [{ url: "https://rpc.example.org/***" }] },
    { id: "paused", ...active, paused: true },
    { id: "disabled", ...active, system_disabled: true },
    { id: "sibling", ...active },
  ];
  const relayers = (list: Client["relayers"]["list"], chainId = "0x1") => {
    const asked: string[] = [];
    const rpc: Rpc = (id, request) => {
      asked.push(id);
      const result = request.method === "eth_chainId" ? chainId : "0x2a";
      return id === "evm-1" ? refused(id, request) : resulting({ result })(id, request);
    };
    return { asked, client: { relayers: { rpc, list } as Client["relayers"] } };
  };
  const listing = (items: readonly JsonObject[]): Client["relayers"]["list"] =>
    async function* () {
      yield { items } as never;
    };
  const relayer = { id: "evm-1", network: "mainnet" };

  test("is replaced by the node of an active relayer of the same network without custom RPC URLs", async () => {
    const { asked, client } = relayers(listing(all));
    const node = openNode({ client, relayer });
    expect(await node.ask("eth_blockNumber", [])).toEqual({ value: "0x2a" });
    expect([node.name, asked]).toEqual(["the node of sibling", ["evm-1", "sibling"]]);
  });

  test("is a fault if there is no active relayer, or relayers cannot be listed", async () => {
    const fault = { fault: { kind: "refused", words: "words" } };
    for (const list of [listing([]), listing(all.slice(0, 5)), failingList()]) {
      expect(await openNode({ client: relayers(list).client, relayer }).ask("eth_blockNumber", [])).toMatchObject(
        fault,
      );
    }
  });

  test("is rejected if it is on another chain", async () => {
    const { client } = relayers(listing(all), "0x89");
    expect(await openNode({ client, relayer, chainId: 1n }).ask("eth_blockNumber", [])).toMatchObject({
      fault: { kind: "wrong_chain" },
    });
  });

  test("is not used if the user has a node", async () => {
    const { asked, client } = relayers(listing(all));
    const own = { name: "own", ask: () => Promise.resolve({ value: "0x1" }) };
    expect(await openNode({ client, relayer, own }).ask("eth_blockNumber", [])).toEqual({ value: "0x1" });
    expect(asked).toEqual([]);
  });
});

function failingList(): Client["relayers"]["list"] {
  return () => ({
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new RelayctlError("server", "words")) }),
  });
}
