import { feeIn } from "./evm/node-reads.ts";
import type { ChainFacts } from "./verdict/evidence.ts";
import type { Verdict } from "./verdict/verdict.ts";

/** Returns what a verdict's mined transaction paid, in wei; undefined if none was mined or no receipt was read. */
export function feePaid({ seen }: Verdict, facts: ChainFacts | undefined): bigint | undefined {
  if (!seen || !facts) return undefined;
  const user = facts.userReceipt?.hash === seen.hash ? facts.userReceipt : undefined;
  const receipt = facts.hashes.get(seen.hash)?.receipt ?? user;
  return receipt && feeIn(receipt);
}
