import { readBlock } from "../evm/block.ts";
import type { Examined } from "../examine.ts";
import type { Chain } from "../open-chain.ts";
import type { ChainFacts } from "../verdict/evidence.ts";
import type { Verdict, VerdictWord } from "../verdict/verdict.ts";
import type { Followed } from "./followed.ts";

/** The verdicts that rest on a nonce that was not used. */
const OF_UNUSED: readonly VerdictWord[] = ["failed", "expired", "never_broadcast", "gone"];
/** Blocks that a chain has to grow before it shows that a used nonce became unused: reorganizations are shorter. */
const REORGANIZED = 3n;

/**
 * Returns the verdict, unless it rests on an unused nonce that was used before: behind one URL there may be nodes that
 * lag, and only a longer chain shows a reorganization.
 * @param now milliseconds since 1970
 */
export async function verdictAfterUse(
  followed: Followed,
  { verdict, facts }: Examined,
  { node }: Chain,
  now: number,
): Promise<Verdict> {
  if (facts && isUsed(facts)) followed.usedAt = { height: facts.height ?? followed.usedAt?.height };
  else if (facts && followed.usedAt && OF_UNUSED.includes(verdict.verdict)) {
    const { height } = followed.usedAt;
    const newest = await readBlock(node, "latest", now);
    const isLonger = height !== undefined && "value" in newest && newest.value.number >= height + REORGANIZED;
    if (!isLonger) return { verdict: "pending", why: WAS_USED, stage: verdict.stage, missing: verdict.missing };
  }
  return verdict;
}

const WAS_USED = "the node shows its nonce as unused, after it showed the nonce as used";

function isUsed({ nonceUse, hashes }: ChainFacts): boolean {
  return nonceUse?.state === "used" || [...hashes.values()].some((found) => found?.transaction.block !== undefined);
}
