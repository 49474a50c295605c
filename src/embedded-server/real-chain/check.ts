import { wireAmount } from "../../contract/amount.ts";
import { isJsonObject, type JsonValue } from "../../contract/json.ts";
import { timestampText } from "../world.ts";
import { type ChainWorld, type Job, settle } from "./chain-world.ts";
import { askNode, readQuantity, readReceipt } from "./node.ts";
import { noticedFrom } from "./submit.ts";

/** Looks for the record's hash on the chain, and for no other version (facts 13.1). */
export async function check(world: ChainWorld, job: Job): Promise<void> {
  const { record, network, lifecycle } = job;
  const [receipt, head] = await Promise.all([
    readReceipt(world.node, record.hash),
    readQuantity(world.node, "eth_blockNumber"),
  ]);
  const now = world.clock.now();
  const later = { ...lifecycle, due: noticedFrom(lifecycle, now) };
  // A reorganization may have taken it off the chain.
  if (!receipt) return await settle(world, job, record.status === "mined" ? { status: "submitted" } : {}, later);
  const status_reason = "Transaction reverted on-chain (receipt status: failed)";
  if (receipt.isReverted) return await settle(world, job, { status: "failed", status_reason }, undefined);
  const deepest = receipt.block + BigInt(Number(network.required_confirmations ?? 1));
  if (head < deepest)
    return await settle(world, job, { status: "mined", sent_at: record.sent_at ?? timestampText(now) }, later);
  const isCanceled = record.is_canceled === true && (await doesNothing(world, record.hash));
  const changes = isCanceled ? { status: "canceled" } : { status: "confirmed", confirmed_at: timestampText(now) };
  await settle(world, job, changes, undefined);
}

/** Returns whether what was mined is a cancellation: nothing to its own sender. */
async function doesNothing({ node }: ChainWorld, hash: JsonValue | undefined): Promise<boolean> {
  const mined = await askNode(node, "eth_getTransactionByHash", String(hash));
  if (!isJsonObject(mined)) return false;
  return mined.to === mined.from && wireAmount(mined.value) === 0n && mined.input === "0x";
}
