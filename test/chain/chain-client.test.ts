import { chainClient } from "../../src/chain/chain-client.ts";
import type { ChainNode } from "../../src/chain/node/node.ts";
import { openChain, openChainNode } from "../../src/chain/open-chain.ts";
import type { Client } from "../../src/client/client.ts";
import type { JsonObject } from "../../src/contract/json.ts";
import type { Transaction } from "../../src/contract/transaction/transaction.ts";
import { type Failure, RelayctlError } from "../../src/errors.ts";
import { chainNode, type FakeChain, NOW } from "./fake-chain.ts";
import { fakeNode } from "./fake-node.ts";
import { EARLIER, FOREIGN, ORIGINAL, OWN, REPLACEMENT, record, TO, TRANSFER } from "./verdict/records.ts";

const BLOCK = { block: 990 };

interface World {
  record?: Transaction | undefined;
  /** The newest record with the nonce. */
  byNonce?: Transaction;
  chain?: Partial<FakeChain>;
  own?: ChainNode;
  address?: string;
  kind?: string;
}

const result = <T extends JsonObject>(data: T) =>
  Promise.resolve({ data: data as never, body: new Uint8Array(), unconfirmed: [] });
const missing = () => Promise.reject(new RelayctlError("not_found", "words"));

/** A client over a chain with these transactions, and the methods that its node was asked. */
function clientOf(mined: FakeChain["transactions"], { record: found, byNonce, chain, own, address, kind }: World = {}) {
  const node = chainNode({ height: 1_000, indexed: true, transactions: [...EARLIER, ...mined], ...chain });
  const rpc: Client["relayers"]["rpc"] = async (_, { method, params }) => {
    const reading = await node.ask(String(method), Array.isArray(params) ? params : []);
    if ("fault" in reading) throw new RelayctlError("rejected", reading.fault.words);
    return await result({ result: reading.value });
  };
  const relayer = {
    id: "evm-1",
    network: "mainnet",
    policies: { gas_price_cap: 1 },
    ...(address && { address }),
    ...(kind && { network_type: kind }),
  };
  const status = () => result({ nonce: "5" });
  const relayers = { rpc, get: () => result(relayer), status };
  const networks = { get: () => result({ id: "evm:mainnet", chain_id: 1, required_confirmations: 12 }) };
  const tx = {
    get: () => (found ? result(found) : missing()),
    list: async function* () {
      yield { items: found ? [found] : [], total: undefined };
    },
    getByNonce: () => (byNonce ? result(byNonce) : missing()),
  };
  const client = { relayers, networks, tx } as unknown as Client;
  const reader = chainClient(client, { now: () => NOW }, () => own ?? node);
  return { reader, methods: () => node.asked.map(({ method }) => method) };
}

describe("client.chain.verdict", () => {
  test("reads the record, the relayer, its network, and the chain", async () => {
    const { reader, methods } = clientOf([{ ...TRANSFER, block: 988 }], { record: record() });
    expect(await reader.verdict("evm-1", "tx-1")).toMatchObject({
      verdict: { verdict: "confirmed", seen: { hash: ORIGINAL } },
      fault: undefined,
      node: "the node of evm-1",
    });
    expect(methods()).toEqual([
      "eth_chainId",
      "eth_getTransactionByHash",
      "eth_getBlockByNumber",
      "eth_getTransactionReceipt",
      "eth_getBlockByNumber",
    ]);
  });

  test("waits for as many blocks as the network requires, or as given", async () => {
    const { reader } = clientOf([{ ...TRANSFER, block: 989 }], { record: record() });
    expect(await reader.verdict("evm-1", "tx-1")).toMatchObject({ verdict: { verdict: "pending", stage: "mined" } });
    const options = { confirmations: 11n };
    expect(await reader.verdict("evm-1", "tx-1", options)).toMatchObject({ verdict: { verdict: "confirmed" } });
  });

  test("settles a deleted record from the records that were seen before", async () => {
    const { reader } = clientOf([{ ...TRANSFER, ...BLOCK }]);
    expect(await reader.verdict("evm-1", "tx-1", { earlier: [record()], confirmations: 1n })).toMatchObject({
      verdict: { verdict: "confirmed" },
    });
    expect(await clientOf([]).reader.verdict("evm-1", "tx-1", { earlier: [record()] })).toMatchObject({
      verdict: { verdict: "gone" },
    });
    await expect(reader.verdict("evm-1", "tx-1")).rejects.toMatchObject({ failure: "not_found" });
  });

  test("recognizes a transaction of another record with the same nonce", async () => {
    const foreign = { hash: FOREIGN, from: OWN, to: TO, value: 7n, nonce: 4, ...BLOCK };
    const byNonce = record({ id: "tx-2", hash: FOREIGN });
    const options = { confirmations: 1n };
    const { reader } = clientOf([foreign], { record: record(), byNonce });
    expect(await reader.verdict("evm-1", "tx-1", options)).toMatchObject({ verdict: { verdict: "foreign" } });
    const alone = clientOf([foreign], { record: record() });
    expect(await alone.reader.verdict("evm-1", "tx-1", options)).toMatchObject({
      verdict: { verdict: "earlier_version", isPresumed: true },
    });
  });

  test("uses the relayer's cap", async () => {
    const { reader } = clientOf([TRANSFER], { record: record(REPLACEMENT) });
    expect(await reader.verdict("evm-1", "tx-1", { hashes: [ORIGINAL] })).toMatchObject({
      verdict: { verdict: "never_broadcast", seen: { hash: ORIGINAL } },
    });
  });

  test("asks a given node in place of the relayer's, and reports why it could not", async () => {
    const own: ChainNode = {
      name: "https://rpc.example.org/***",
      ask: async () => ({ fault: { kind: "unreachable", words: "connection refused" } }),
    };
    const { reader, methods } = clientOf([], { record: record({ status: "confirmed" }), own });
    expect(await reader.verdict("evm-1", "tx-1", { nodeUrl: "https://rpc.example.org/key" })).toMatchObject({
      verdict: { verdict: "confirmed", isByRecord: true },
      fault: { words: "connection refused" },
      facts: undefined,
      node: "https://rpc.example.org/***",
    });
    expect(methods()).toEqual([]);
  });

  test("shows a transaction of another kind by its record", async () => {
    const stellar = { id: "tx-1", source_account: "G", status: "confirmed" };
    const { reader, methods } = clientOf([], { record: stellar, kind: "stellar" });
    expect(await reader.verdict("xlm-1", "tx-1")).toMatchObject({
      verdict: { verdict: "confirmed", isByRecord: true },
    });
    expect(methods()).toEqual([]);
  });
});

test("client.chain.open returns the relayer's node, and the facts of its network", async () => {
  const { reader } = clientOf([]);
  const { node, network, cap } = await reader.open("evm-1");
  expect([network.confirmations, cap]).toEqual([12n, 1n]);
  expect(await node.ask("eth_getTransactionCount", [OWN, "latest"])).toEqual({ value: "0x4" });
});

describe("client.chain.simulate", () => {
  const calls = [{ status: "0x0", returnData: "0x1234abcd", gasUsed: "0x5208" }];
  const own = fakeNode((method) => (method === "eth_chainId" ? "0x1" : [{ calls }]));
  const options = { nodeUrl: "https://rpc.example.org" };

  test("shows what a call from the relayer would do", async () => {
    const { reader } = clientOf([], { own, address: OWN });
    expect(await reader.simulate("evm-1", { to: TO, data: "0xA9059CBB", value: 1n }, options)).toEqual({
      outcome: "reverted",
      by: "eth_simulateV1",
      returnData: "0x1234abcd",
      gasUsed: 21_000n,
      reason: { kind: "custom", words: "custom error 0x1234abcd", data: "0x1234abcd" },
    });
    const call = { from: OWN, to: TO, value: "0x1", data: "0xa9059cbb" };
    expect(own.asked.at(-1)?.params).toEqual([{ blockStateCalls: [{ calls: [call] }], validation: false }, "latest"]);
  });

  test("asks at a block, and for a creation without a receiver", async () => {
    const { reader } = clientOf([], { own, address: OWN });
    await reader.simulate("evm-1", { to: null, gas: 50_000n }, { ...options, block: 41n });
    const call = { from: OWN, value: "0x0", data: "0x", gas: "0xc350" };
    expect(own.asked.at(-1)?.params).toEqual([{ blockStateCalls: [{ calls: [call] }], validation: false }, "0x29"]);
  });

  test("is unknown if the node has none of the methods, or the relayer's address is not known", async () => {
    const bare = clientOf([], { address: OWN });
    expect(await bare.reader.simulate("evm-1", { to: TO })).toMatchObject({ outcome: "unknown", fault: {} });
    const nameless = clientOf([], { own });
    expect(await nameless.reader.simulate("evm-1", { to: TO }, options)).toMatchObject({
      outcome: "unknown",
      fault: { words: "the service does not show an EVM address of the relayer" },
    });
  });

  test.each([
    ["to", { to: "0x12" }],
    ["data", { to: TO, data: "0x123" }],
  ])("rejects a wrong %s before anything is sent", async (where, call) => {
    const { reader, methods } = clientOf([], { address: OWN });
    await expect(reader.simulate("evm-1", call)).rejects.toMatchObject({ failure: "usage", details: [{ where }] });
    expect(methods()).toEqual([]);
  });
});

describe("client.chain.diagnose", () => {
  test("returns what has the chain's next nonce, and why it is not mined", async () => {
    const { reader } = clientOf([TRANSFER], { record: record(), address: OWN });
    expect(await reader.diagnose("evm-1")).toMatchObject({
      isStuck: true,
      nonce: 4n,
      waiting: 1,
      head: { nonce: 4n, record: { id: "tx-1" } },
      findings: [{ code: "slow", nonce: 4n }, { code: "cap" }],
      steps: [{ action: "raise-cap" }, { action: "cancel", discards: true }],
    });
  });

  test("shows the records alone if the relayer has no address", async () => {
    const { reader } = clientOf([TRANSFER], { record: record() });
    expect(await reader.diagnose("evm-1")).toMatchObject({
      isStuck: undefined,
      missing: ["the service does not show an EVM address of the relayer"],
    });
  });

  test("refuses a relayer of another kind", async () => {
    const { reader } = clientOf([], { kind: "solana" });
    await expect(reader.diagnose("evm-1")).rejects.toMatchObject({ failure: "usage" });
  });
});

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
