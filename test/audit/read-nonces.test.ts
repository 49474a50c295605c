import type { NonceStore, ReadNonce } from "../../src/audit/nonce-chunks.ts";
import { readAuditedNonces } from "../../src/audit/open-audit.ts";
import { readNonceAccount } from "../../src/audit/search-nonces.ts";
import type { ChainNode } from "../../src/chain/node/node.ts";
import { isJsonObject, type JsonValue } from "../../src/contract/json.ts";
import { chainNode, type FakeChain, type Mined, NOW } from "../chain/fake-chain.ts";
import { DEEP } from "../helpers/deep.ts";

const OWN = `0x${"70".repeat(20)}`;
const OTHER = `0x${"90".repeat(20)}`;
const COUNT = DEEP ? 10_000 : 1_000;
const HEIGHT = 400 * COUNT;

const hashOf = (nonce: number | bigint) => `0x${(Number(nonce) + 1).toString(16).padStart(64, "0")}`;

/** A chain on which an account used so many nonces, so many blocks apart. */
function chainWith(count: number, apart: number, change: Partial<FakeChain> = {}): FakeChain {
  const transactions = Array.from({ length: count }, (_, nonce): Mined => {
    const block = HEIGHT - 200 - (count - 1 - nonce) * apart;
    const value = 10n ** 18n + BigInt(nonce);
    return { hash: hashOf(nonce), from: OWN, to: OTHER, nonce, block, value, paid: 10n ** 9n + BigInt(nonce) };
  });
  return { height: HEIGHT, blockTime: 12, age: 0, transactions, blockReceipts: true, ...change };
}

async function readAll(
  node: ChainNode,
  { first, ...reads }: { first?: bigint; hashesOf?: (nonce: bigint) => readonly string[]; store?: NonceStore } = {},
): Promise<ReadNonce[]> {
  const found = await readNonceAccount(node, OWN, { since: undefined, now: NOW });
  if ("fault" in found) throw new Error(found.fault.words);
  const { count: end, ...range } = found.value;
  const rows: ReadNonce[] = [];
  const reading = { account: OWN, now: NOW, range: { ...range, first: first ?? 0n, end }, ...reads };
  for await (const some of readAuditedNonces(node, reading)) rows.push(...some);
  return rows;
}

function noncesOf(rows: readonly ReadNonce[]): number[] {
  return rows.map((row) => ("hash" in row ? Number(row.nonce) : -1));
}

function memoryStore(): NonceStore & { parts: Map<bigint, string> } {
  const parts = new Map<bigint, string>();
  return {
    parts,
    load: async (part) => parts.get(part),
    save: async (part, text) => void parts.set(part, text),
  };
}

const ALL = Array.from({ length: COUNT }, (_, nonce) => nonce);

test.each([
  ["each block", 1, {}],
  ["every 7 blocks", 7, {}],
  ["every 7 blocks, without the receipts of blocks", 7, { blockReceipts: false }],
  ["every 97 blocks, on a node with an index and no old state", 97, { state: 128, indexed: true }],
])("are all read, in order, with what they cost: %s", async (_, apart, change) => {
  const rows = await readAll(chainNode(chainWith(COUNT, apart, change)));
  expect(noncesOf(rows)).toEqual(ALL);
  expect(rows.at(-1)).toMatchObject({ fee: 21_000n * (10n ** 9n + BigInt(COUNT - 1)), reverted: false });
});

test.each([
  ["in each block, without any hash", 1, false, {}],
  ["by their hashes", 300, true, {}],
  ["by their hashes, on a node without old state", 300, true, { state: 128, blockReceipts: false }],
])("take at most 2.2 requests each %s", async (_, apart, isHinted, change) => {
  const node = chainNode(chainWith(COUNT, apart, change));
  const rows = await readAll(node, isHinted ? { hashesOf: (nonce) => [hashOf(nonce)] } : {});
  expect(noncesOf(rows)).toEqual(ALL);
  expect(node.asked.length / COUNT).toBeLessThanOrEqual(2.2);
});

test("are read once: the next run reads what is new, and the hash of each part", async () => {
  const store = memoryStore();
  const chain = chainWith(COUNT, 7);
  await readAll(chainNode(chain), { store });
  const node = chainNode(chain);
  expect(noncesOf(await readAll(node, { store }))).toEqual(ALL);
  expect(node.asked.length).toBeLessThan(COUNT / 32);
});

test("are read again if the chain has another block than what was kept", async () => {
  const store = memoryStore();
  await readAll(chainNode(chainWith(COUNT, 7)), { store });
  const other = chainWith(COUNT, 7);
  const changed = other.transactions.map((each) => ({ ...each, hash: hashOf(each.nonce + COUNT), value: 5n }));
  const node = withBlockHashes(chainNode({ ...other, transactions: changed }), (hash) => hash.replace("0xb", "0xc"));
  const rows = await readAll(node, { store });
  expect(rows.every((row) => "hash" in row && row.value === 5n)).toBe(true);
});

test("are those of the new chain if blocks are replaced while they are read", async () => {
  const old = { ...chainWith(COUNT, 1), final: HEIGHT - COUNT };
  const changed = old.transactions.map((each) => ({ ...each, hash: hashOf(each.nonce + COUNT), value: 5n }));
  const [before, after] = [
    chainNode(old),
    withBlockHashes(chainNode({ ...old, transactions: changed }), (hash) => hash.replace("0xb", "0xc")),
  ];
  let asked = 0;
  const isReplaced = () => asked++ > COUNT;
  const node: ChainNode = {
    name: before.name,
    ask: async (method, params) => await (isReplaced() ? after : before).ask(method, params),
  };
  const rows = await readAll(node);
  const open = rows.filter((row) => !("hash" in row) || row.block > BigInt(HEIGHT - COUNT));
  expect(open.length).toBeGreaterThan(COUNT / 2);
  expect(open.filter((row) => !("hash" in row) || row.value !== 5n)).toEqual([]);
});

test("are not guessed if the node has neither the state nor the transaction", async () => {
  const rows = await readAll(chainNode(chainWith(40, 5_000, { state: 128 })));
  const why = "the node no longer has the state of earlier blocks";
  expect(rows.slice(0, -1)).toEqual(Array.from({ length: 39 }, (_, nonce) => ({ nonce: BigInt(nonce), why })));
  // The last one is in the newest blocks, which are read one by one.
  expect(rows.at(-1)).toHaveProperty("hash");
});

/** A node whose blocks have other hashes. */
function withBlockHashes(node: ChainNode, change: (hash: string) => string): ChainNode {
  const changed = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(changed);
    if (!isJsonObject(value)) return value;
    const { hash, blockHash, timestamp } = value;
    return {
      ...value,
      ...(timestamp !== undefined && typeof hash === "string" && { hash: change(hash) }),
      ...(typeof blockHash === "string" && { blockHash: change(blockHash) }),
    };
  };
  return {
    name: node.name,
    ask: async (method, params) => {
      const reading = await node.ask(method, params);
      return "fault" in reading ? reading : { value: changed(reading.value) };
    },
  };
}
