import { MARGIN } from "../chain/evm/block-at.ts";
import { readUsesSince, type UsesAsked } from "../chain/evm/nonce-use.ts";
import { type ChainTransaction, createReceiptReader, feeIn } from "../chain/evm/read-evm.ts";
import { readLagSince } from "../chain/node/late-node.ts";
import { type ChainNode, nodeFault, type Reading } from "../chain/node/node.ts";
import { groupBy } from "../contract/group-by.ts";

/** An account's spending in a time, by the chain, no matter who signed. Amounts are in wei. */
export interface Spend {
  /** Transfers to others; a reverted transaction moves nothing. */
  value: bigint;
  fee: bigint;
  /** How many transactions were mined, and how many of them reverted. */
  sent: number;
  reverted: number;
}

/** Reads what an EVM account spent after a time, from every used nonce. An incomplete history is a fault. */
export async function readSpendSince(
  node: ChainNode,
  address: string,
  { since, ...asked }: UsesAsked,
): Promise<Reading<Spend>> {
  const uses = await readUsesSince(node, address, { since: since + MARGIN, ...asked });
  if ("fault" in uses) return uses;
  const { mined, head } = uses.value;
  const delay = await readLagSince(node, head, { since, ...asked });
  if (delay !== undefined) return nodeFault(delay);
  const spend: Spend = { value: 0n, fee: 0n, sent: 0, reverted: 0 };
  // The newest block is always among the blocks that were read.
  if (head.time <= since) return { value: spend };
  const readReceipts = createReceiptReader(node);
  for (const [block, transactions] of groupBy(mined, ({ block = 0n }) => block)) {
    const receipts = await readReceipts(block, transactions);
    if ("fault" in receipts) return receipts;
    for (const [index, receipt] of receipts.value.entries()) {
      const paid = feeIn(receipt);
      if (paid === undefined) return nodeFault(`the receipt of ${receipt.hash} does not show what its gas cost`);
      spend.fee += paid;
      spend.sent++;
      if (receipt.reverted) spend.reverted++;
      else spend.value += valueFor(address, transactions[index]);
    }
  }
  return { value: spend };
}

function valueFor(address: string, transaction: ChainTransaction | undefined): bigint {
  return transaction && transaction.to !== address.toLowerCase() ? transaction.value : 0n;
}
