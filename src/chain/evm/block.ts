import { isJsonObject, type JsonValue } from "../../contract/json.ts";
import { type ChainNode, nodeFault, type Reading, read } from "../node/node.ts";
import { hashOf, quantity, quantityText, tagText } from "./quantity.ts";
import { type ChainTransaction, parseTransaction } from "./transaction.ts";

export interface Block {
  number: bigint;
  time: number;
  /** Wei per gas; undefined before EIP-1559. */
  baseFee: bigint | undefined;
}

/** A block by its number, or the newest block, the newest final block, or the next block. */
export type BlockTag = bigint | "latest" | "finalized" | "pending";

/** Hours by which a block may be ahead of this machine's clock, which may be set to local time. */
const MOST_AHEAD = 18;
/** The last second that JavaScript's dates can show. */
const LAST_SECOND = 8_640_000_000_000n;

function parseBlock(found: JsonValue): Block | undefined {
  if (!isJsonObject(found)) return undefined;
  const number = quantity(found.number);
  const seconds = quantity(found.timestamp);
  if (number === undefined || seconds === undefined || seconds > LAST_SECOND) return undefined;
  return { number, time: Number(seconds) * 1000, baseFee: quantity(found.baseFeePerGas) };
}

/** Reads the header of a block; its age is below zero if clocks differ. */
export async function readBlock(node: ChainNode, at: BlockTag, now: number): Promise<Reading<Block>> {
  const found = await read(node, "eth_getBlockByNumber", [tagText(at), false], parseBlock);
  return "fault" in found ? found : believed(found.value, at, now);
}

function believed(block: Block, at: BlockTag, now: number): Reading<Block> {
  if (typeof at === "bigint" && block.number !== at) return nodeFault("the node returned another block");
  if (block.time > now + MOST_AHEAD * 3_600_000)
    return nodeFault(`the node's clock is more than ${MOST_AHEAD} hours ahead of this machine's`);
  return { value: block };
}

export async function readBlockHash(node: ChainNode, at: bigint): Promise<Reading<string>> {
  return await read(node, "eth_getBlockByNumber", [quantityText(at), false], (found) =>
    isJsonObject(found) && quantity(found.number) === at ? hashOf(found.hash) : undefined,
  );
}

export async function readFromBlock(
  node: ChainNode,
  at: bigint,
  sender: string,
): Promise<Reading<readonly ChainTransaction[]>> {
  const found = await readSenderBlock(node, at, sender);
  return "fault" in found ? found : { value: found.value.own };
}

export async function readSenderBlock(
  node: ChainNode,
  at: bigint,
  sender: string,
): Promise<Reading<Block & { hash: string | undefined; own: readonly ChainTransaction[] }>> {
  return await read(node, "eth_getBlockByNumber", [quantityText(at), true], (value) => {
    const block = parseBlock(value);
    if (block?.number !== at || !isJsonObject(value) || !Array.isArray(value.transactions)) return undefined;
    const own = value.transactions.flatMap((item) => {
      const from = isJsonObject(item) && typeof item.from === "string" ? item.from.toLowerCase() : undefined;
      const transaction = from === sender.toLowerCase() ? parseTransaction(item) : undefined;
      return transaction?.block === at ? transaction : [];
    });
    return { ...block, hash: hashOf(value.hash), own: own.sort((one, other) => Number(one.nonce - other.nonce)) };
  });
}
