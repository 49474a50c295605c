import { openChain, openChainNode } from "../../src/chain/open-chain.ts";
import type { Client } from "../../src/client/client.ts";
import type { JsonObject } from "../../src/contract/json.ts";
import { type Failure, RelayctlError } from "../../src/errors.ts";

type Rpc = Client["relayers"]["rpc"];

const resulting =
  <T extends JsonObject>(data: T) =>
  (_id: string, _request: JsonObject) =>
    Promise.resolve({ data: data as never, body: new Uint8Array(), unconfirmed: [] });
const failing =
  (failure: Failure, options = {}): Rpc =>
  () =>
    Promise.reject(new RelayctlError(failure, "words", options));

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
    return { asked, client: { relayers: { rpc, list, get }, networks } };
  };
  const listing = (items: readonly JsonObject[]): Client["relayers"]["list"] =>
    async function* () {
      yield { items } as never;
    };
  const get = () => resulting(all[0] as JsonObject)("evm-1", {});
  const networks = { get: () => resulting({ id: "evm:mainnet", chain_id: 1, tags: ["x"] })("", {}) };

  test("is replaced by the node of an active relayer of the same network without custom RPC URLs", async () => {
    const { asked, client } = relayers(listing(all));
    const node = openChainNode({ client, relayerId: "evm-1" });
    expect(await node.ask("eth_blockNumber", [])).toEqual({ value: "0x2a" });
    expect([node.name, asked]).toEqual(["the node of sibling", ["evm-1", "sibling"]]);
  });

  test("is a fault if there is no active relayer, or relayers cannot be listed", async () => {
    const fault = { fault: { kind: "refused", words: "words" } };
    for (const list of [listing([]), listing(all.slice(0, 5)), failingList()]) {
      expect(
        await openChainNode({ client: relayers(list).client, relayerId: "evm-1" }).ask("eth_blockNumber", []),
      ).toMatchObject(fault);
    }
  });

  test("is rejected if it is on another chain", async () => {
    const { client } = relayers(listing(all), "0x89");
    const { node } = await openChain({ client, relayerId: "evm-1" });
    expect(await node.ask("eth_blockNumber", [])).toMatchObject({
      fault: { kind: "wrong_chain" },
    });
  });

  test("is not used if the user has a node", async () => {
    const { asked, client } = relayers(listing(all));
    const own = { name: "own", ask: () => Promise.resolve({ value: "0x1" }) };
    const names: unknown[] = [];
    const ownNode = async (network: string | undefined) => {
      names.push(network);
      return own;
    };
    const { node } = await openChain({ client, relayerId: "evm-1", ownNode });
    expect(await node.ask("eth_blockNumber", [])).toEqual({ value: "0x1" });
    expect([asked, names]).toEqual([[], ["mainnet"]]);
  });
});

function failingList(): Client["relayers"]["list"] {
  return () => ({
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new RelayctlError("server", "words")) }),
  });
}

test("a transaction needs 64 blocks after its own while relayer or network cannot be read", async () => {
  const failing = () => Promise.reject(new RelayctlError("network", "words"));
  const found = resulting({ id: "evm-1", network: "base" });
  for (const get of [failing, () => found("", {})]) {
    const relayers = { get, list: failingList(), rpc: failing };
    expect(await openChain({ client: { relayers, networks: { get: failing } }, relayerId: "evm-1" })).toMatchObject({
      network: { chainId: undefined, confirmations: 64n },
    });
  }
});

test("the facts of relayer and network are read once, and defaults stand in for a service that has neither", async () => {
  const missing = () => Promise.reject(new RelayctlError("not_found", "words"));
  const relayers = { get: missing, list: failingList(), rpc: missing };
  expect(await openChain({ client: { relayers, networks: { get: missing } }, relayerId: "evm-1" })).toMatchObject({
    relayer: undefined,
    cap: undefined,
    network: { chainId: undefined, tags: [], confirmations: 1n },
  });
  const found = resulting({ id: "evm-1", network: "Base", policies: { gas_price_cap: "80000000000" } });
  const asked: string[] = [];
  const networks = {
    get: (id: string) => {
      asked.push(id);
      return resulting({
        id,
        chain_id: 8453,
        tags: ["optimism"],
        required_confirmations: 3,
        average_blocktime_ms: 2000,
      })("", {});
    },
  };
  const client = { relayers: { get: () => found("", {}), list: failingList(), rpc: failing("server") }, networks };
  expect(await openChain({ client, relayerId: "evm-1" })).toMatchObject({
    cap: 80_000_000_000n,
    network: { chainId: 8453n, tags: ["optimism"], confirmations: 3n, blockTime: 2_000 },
  });
  expect(asked).toEqual(["evm:base"]);
});
