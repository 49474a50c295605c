import type { Transaction } from "../../contract/transaction/transaction.ts";
import { readBlock } from "../evm/block.ts";
import type { FeeHistory } from "../evm/fee-history.ts";
import type { ChainNode } from "../node/node.ts";
import { type Fees, feesOf } from "../replacement/fees.ts";
import type { PassedOver, QueueChain, QueueEvidence } from "./diagnosis.ts";
import { findHead } from "./find-head.ts";
import { sentAt } from "./head-cause.ts";
import { slotsOf } from "./slots.ts";

/** The share of its gas above which a block counts as full. */
const FULL = 0.95;
/** Fewer blocks prove nothing: each may have been built before the transaction arrived. */
const LEAST_BLOCKS = 3;

/** Returns what recent blocks with room took in place of a transaction, if all of them took only higher tips. */
export function comparedTips(history: FeeHistory, fees: Fees): PassedOver | undefined {
  const { max_fee_per_gas: most, max_priority_fee_per_gas: tip } = fees;
  if (most === undefined || tip === undefined) return undefined;
  const roomy = history.blocks.flatMap(({ baseFee, used }, index) => {
    const offered = most - baseFee < tip ? most - baseFee : tip;
    return used === undefined || used > FULL ? [] : [{ used, offered, took: history.tips.safeLow[index] ?? 0n }];
  });
  const isCause = roomy.every(({ used, offered, took }) => offered >= 0n && (took > offered || used === 0));
  const taken = roomy.filter(({ used }) => used > 0).map(({ took }) => took);
  const [first] = taken.sort((one, other) => (one < other ? -1 : 1));
  if (!isCause || first === undefined || roomy.length < LEAST_BLOCKS) return undefined;
  return { blocks: roomy.length, offered: tip, took: first };
}

/** Reads whether recent blocks passed over the head of a queue since it was sent. At most one request, for a low tip. */
export async function readPassedOver(
  node: ChainNode,
  { records, chain, now }: Pick<QueueEvidence, "records" | "now"> & { chain: QueueChain },
  history: FeeHistory | undefined,
): Promise<PassedOver | undefined> {
  const record: Transaction | undefined = findHead({ chain }, slotsOf({ records, chain }))?.record;
  const fees = chain.waiting?.fees ?? (record && feesOf(record));
  const found = history && fees && comparedTips(history, fees);
  if (!found || !record || history.oldest === undefined) return undefined;
  const oldest = await readBlock(node, history.oldest, now);
  return "value" in oldest && oldest.value.time >= sentAt(record, now) ? found : undefined;
}
