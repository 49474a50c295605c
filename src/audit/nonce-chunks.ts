import { hexHash } from "../chain/evm/quantity.ts";
import { readSenderBlock } from "../chain/evm/read-evm.ts";
import type { ChainNode, NodeFault } from "../chain/node/node.ts";
import { wireAmount } from "../contract/amount.ts";
import { isJsonObject, type JsonObject, tryParseJson, writeJson } from "../contract/json.ts";
import { createMinedNonceReader, type MinedNonce, noncesBetween } from "./mined-nonce.ts";
import { type At, createNonceSearch, findNonceRun, type NonceRange, type NonceRun } from "./search-nonces.ts";

/** Stores an account's nonces between runs, in parts. Neither function fails. */
export interface NonceStore {
  load(part: bigint): Promise<string | undefined>;
  save(part: bigint, text: string): Promise<void>;
}

/** The nonces in a part, and the longest kept call data: a part then fits into 64 KiB. */
const PART = 64n;
const LONGEST_DATA = 400;

function keptText(rows: readonly MinedNonce[]): string {
  const short = rows.filter(({ data }) => data.length <= LONGEST_DATA);
  return short.map((row) => `${writeJson(row as unknown as JsonObject)}\n`).join("");
}

function parseKept(text: string | undefined, account: string): MinedNonce[] {
  return (text ?? "").split("\n").flatMap((line) => {
    const row = tryParseJson(new TextEncoder().encode(line));
    return isJsonObject(row) && row.from === account ? (parseRow(row, account) ?? []) : [];
  });
}

function parseRow(row: JsonObject, from: string): MinedNonce | undefined {
  const [nonce, value, fee, block] = [row.nonce, row.value, row.fee, row.block].map((each) => wireAmount(each));
  const [hash, blockHash] = [hexHash(row.hash), hexHash(row.blockHash)];
  const { to, data, time, reverted } = row;
  if (nonce === undefined || value === undefined || fee === undefined || block === undefined) return undefined;
  if (hash === undefined || blockHash === undefined || typeof data !== "string" || typeof time !== "number")
    return undefined;
  if ((to !== null && typeof to !== "string") || typeof reverted !== "boolean") return undefined;
  return { nonce, hash, from, to, value, data, block, blockHash, time, fee, reverted };
}

export type ReadNonce = MinedNonce | { nonce: bigint; why: string };

export interface Unread {
  nonce: bigint | null;
  hash?: string;
  why: string;
}

export interface NonceReading {
  /** In lowercase. */
  account: string;
  range: NonceRange;
  /** Milliseconds since 1970. */
  now: number;
  /** Returns hashes that may have used a nonce, to find its block sooner. */
  hashesOf?(nonce: bigint): readonly string[];
  store?: NonceStore | undefined;
}

export const CHUNK = 2n * PART;
const NOT_SHOWN = "the node's blocks do not show the transaction";

interface Chunk {
  from: bigint;
  to: bigint;
  low: At;
  high: At<bigint>;
}

export function createChunkReader(node: ChainNode, { account, range, hashesOf, store }: NonceReading) {
  const reader = createMinedNonceReader(node, account);
  const search = createNonceSearch(node, account, reader);
  const { rows } = reader;

  async function searchMissing({ from, to, low, high }: Chunk): Promise<NodeFault | undefined> {
    const faults = runsIn(missing(from, to)).map(async (run) => {
      const [before, after] = [rows.get(run.first - 1n), rows.get(run.last + 1n)];
      return await findNonceRun(search, run, [
        before ? { block: before.block, count: run.first } : low,
        after ? { block: after.block - 1n, count: run.last + 1n } : high,
      ]);
    });
    return (await Promise.all(faults)).find((fault) => fault !== undefined);
  }

  function missing(from: bigint, to: bigint): bigint[] {
    return noncesBetween(from, to).filter((nonce) => !rows.has(nonce));
  }

  /** A block of a kept nonce may have others that were not kept. */
  async function readNeighbors(open: readonly bigint[]): Promise<void> {
    const near = open.flatMap((nonce) => [rows.get(nonce - 1n), rows.get(nonce + 1n)]);
    await Promise.all([...new Set(near.flatMap((row) => row?.block ?? []))].map(reader.readAt));
  }

  return {
    async read(chunk: Chunk): Promise<{ rows: readonly ReadNonce[]; next: At }> {
      const { from, to, low } = chunk;
      reader.clear();
      const kept = await loadKept(node, store, account, chunk);
      for (const row of kept) rows.set(row.nonce, row);
      await Promise.all(missing(from, to).map((nonce) => reader.readByHash(hashesOf?.(nonce) ?? [])));
      await readNeighbors(missing(from, to));
      const fault = await searchMissing(chunk);
      const found = [...rows.values()].filter(({ nonce }) => nonce >= from && nonce < to);
      const settled = [...rows.values()].filter(({ block }) => block <= range.final);
      if (settled.length > kept.length) await saveKept(store, settled, chunk);
      const why = fault?.words ?? NOT_SHOWN;
      return {
        rows: noncesBetween(from, to).map((nonce) => rows.get(nonce) ?? { nonce, why }),
        next: nextChunkEnd(found, low),
      };
    },
  };
}

/** Returns the block before the newest block that was read, which may have further nonces. */
function nextChunkEnd(rows: readonly MinedNonce[], low: At): At {
  const newest = rows.reduce((block, row) => (row.block > block ? row.block : block), low.block);
  const own = rows.flatMap(({ block, nonce }) => (block === newest ? [nonce] : []));
  return own.length === 0
    ? low
    : { block: newest - 1n, count: own.reduce((one, nonce) => (nonce < one ? nonce : one)) };
}

function runsIn(nonces: readonly bigint[]): NonceRun[] {
  const runs: NonceRun[] = [];
  for (const nonce of nonces) {
    const run = runs.at(-1);
    if (run && run.last + 1n === nonce) run.last = nonce;
    else runs.push({ first: nonce, last: nonce });
  }
  return runs;
}

/** Returns the kept part of a chunk. It was final, so its newest block's hash proves all of it. */
async function loadKept(node: ChainNode, store: NonceStore | undefined, account: string, { from, to }: Chunk) {
  const found: MinedNonce[] = [];
  for (let part = from / PART; store && part * PART < to; part++) {
    const rows = parseKept(await store.load(part), account).filter(({ nonce }) => nonce / PART === part);
    const [first, ...others] = rows;
    if (!first) continue;
    const newest = others.reduce((one, row) => (row.block > one.block ? row : one), first);
    const block = await readSenderBlock(node, newest.block, account);
    const isCanonical = "value" in block && block.value.hash === newest.blockHash;
    if (isCanonical && block.value.own.some(({ hash }) => hash === newest.hash)) found.push(...rows);
  }
  return found;
}

async function saveKept(store: NonceStore | undefined, rows: readonly MinedNonce[], { from, to }: Chunk) {
  for (let part = from / PART; store && part * PART < to; part++) {
    const own = rows.filter(({ nonce }) => nonce / PART === part);
    if (own.length > 0) await store.save(part, keptText(own.sort((one, other) => Number(one.nonce - other.nonce))));
  }
}
