import type { Transaction } from "../../contract/transaction/transaction.ts";
import { hashOf } from "../evm/quantity.ts";
import { readTransaction } from "../evm/transaction.ts";
import type { ChainNode } from "../node/node.ts";
import type { QueueChain } from "./diagnosis.ts";
import { slotsOf } from "./slots.ts";

const MOST_COMPARED = 5;

/** Compares the first pending records whose nonces the chain has used with it (facts 15.8). */
export async function readUsed(
  node: ChainNode,
  records: readonly Transaction[],
  chain: QueueChain,
): Promise<QueueChain["usedBy"]> {
  const usedBy = new Map<string, "record" | "other">();
  for (const { id, hash } of slotsOf({ records, chain }).used.slice(0, MOST_COMPARED)) {
    const own = hashOf(hash);
    const found = own === undefined ? undefined : await readTransaction(node, own);
    if (found && "value" in found) usedBy.set(id, found.value?.block === undefined ? "other" : "record");
  }
  return usedBy;
}
