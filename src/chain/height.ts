import { readBlock } from "./evm/block.ts";
import type { ChainNode, NodeFault } from "./node/node.ts";

/** Which block counts as the newest one. */
interface Newest {
  /** Milliseconds since 1970. */
  now: number;
  upTo?: "latest" | "finalized" | undefined;
}

/** Returns a function that reads the height of the chain once; undefined if it cannot be read, which is passed on. */
export function heightOnce(
  node: ChainNode,
  newest: Newest,
  lack: (fault: NodeFault) => void,
): () => Promise<bigint | undefined> {
  let height: Promise<bigint | undefined> | undefined;
  return () => (height ??= heightOf(node, newest, lack));
}

async function heightOf(node: ChainNode, { now, upTo = "latest" }: Newest, lack: (fault: NodeFault) => void) {
  const block = await readBlock(node, upTo, now);
  const newest = upTo === "latest" ? block : await readBlock(node, "latest", now);
  for (const reading of [block, newest]) if ("fault" in reading) lack(reading.fault);
  if ("fault" in block || "fault" in newest) return undefined;
  if (block.value.number <= newest.value.number) return block.value.number;
  lack({ kind: "unreadable", words: "the node's final block is after its newest one" });
  return undefined;
}
