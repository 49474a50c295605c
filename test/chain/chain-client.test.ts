import { chainClient } from "../../src/chain/chain-client.ts";
import type { ChainNode } from "../../src/chain/node/node.ts";
import type { Client } from "../../src/client/client.ts";
import type { JsonObject } from "../../src/contract/json.ts";
import type { Transaction } from "../../src/contract/transaction/transaction.ts";
import { RelayctlError } from "../../src/errors.ts";
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
