import { readNonce } from "../chain/evm/account.ts";
import { readBlock, readBlockHash } from "../chain/evm/block.ts";
import type { ChainNode } from "../chain/node/node.ts";
import { CHUNK, createChunkReader, type NonceReading, type ReadNonce } from "./nonce-chunks.ts";
import type { At } from "./search-nonces.ts";

/** How often nonces whose blocks were replaced are read again. */
const MOST_READINGS = 3;
const REPLACED = "the chain was reorganized while it was read";

/**
 * Yields every used nonce of a range, in order, with its transaction and its receipt. Those in blocks that are not
 * final come last, once the hashes of their blocks were read again: what a reorganization replaced is read again.
 */
export async function* readNonces(node: ChainNode, reading: NonceReading): AsyncGenerator<readonly ReadNonce[]> {
  const { first, end, final, head } = reading.range;
  const chunks = createChunkReader(node, reading);
  const tail: ReadNonce[] = [];
  let { low } = reading.range;
  for (let from = first; from < end; ) {
    const to = least((from / CHUNK + 1n) * CHUNK, end);
    const read = await chunks.read({ from, to, low, high: head });
    const open = tail.length > 0 ? 0 : read.rows.findIndex((row) => "hash" in row && row.block > final);
    if (open < 0) low = read.next;
    else tail.push(...read.rows.slice(open));
    const settled = open < 0 ? read.rows : read.rows.slice(0, open);
    if (settled.length > 0) yield settled;
    from = to;
  }
  if (tail.length > 0) yield await confirm(node, reading, { tail, low });
}

interface Unconfirmed {
  tail: readonly ReadNonce[];
  /** A block before them. */
  low: At;
}

async function confirm(node: ChainNode, reading: NonceReading, { tail, low }: Unconfirmed) {
  let rows = tail;
  for (let times = 0; times < MOST_READINGS; times++) {
    if (await areCanonical(node, rows)) return rows;
    const head = await readBlock(node, "latest", reading.now);
    const count = "fault" in head ? head : await readNonce(node, reading.account, head.value.number);
    if ("fault" in head || "fault" in count) break;
    // What is not mined any more is pending again.
    const first = tail[0]?.nonce ?? 0n;
    const end = least(reading.range.end, count.value);
    const again: ReadNonce[] = [];
    const chunks = createChunkReader(node, reading);
    for (let from = first; from < end; from += CHUNK) {
      const high = { block: head.value.number, count: count.value };
      again.push(...(await chunks.read({ from, to: least(from + CHUNK, end), low, high })).rows);
    }
    rows = again;
  }
  return rows.map(({ nonce }) => ({ nonce, why: REPLACED }));
}

async function areCanonical(node: ChainNode, rows: readonly ReadNonce[]): Promise<boolean> {
  const blocks = new Map(rows.flatMap((row) => ("hash" in row ? [[row.block, row.blockHash] as const] : [])));
  const same = [...blocks].map(async ([block, hash]) => {
    const found = await readBlockHash(node, block);
    return "value" in found && found.value === hash;
  });
  return (await Promise.all(same)).every(Boolean);
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
