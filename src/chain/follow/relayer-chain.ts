import { usageError } from "../../errors.ts";
import { readEvmBlock } from "../evm/read-evm.ts";
import { type Chain, type ChainSource, openChain } from "../open-chain.ts";

/** How often a relayer and its network are read before defaults stand in for them. */
const MOST_TRIES = 3;

/** The chain of one relayer, opened once it could be read as a whole, and kept while transactions are followed. */
export type RelayerChain = ReturnType<typeof createRelayerChain>;

export function createRelayerChain(source: ChainSource) {
  let chain: Chain | undefined;
  let isWhole = false;
  let tries = 0;
  let isFresh = false;
  const read = async () => {
    const found = await openChain(source);
    isFresh = true;
    tries++;
    const isFoundWhole = found.relayer !== undefined && !found.network.isUnread;
    // An outage must not replace the cap and the confirmations by defaults.
    if (isFoundWhole || (!isWhole && tries >= MOST_TRIES)) chain = found;
    isWhole ||= isFoundWhole;
  };
  return {
    /** Returns undefined while the relayer or its network can't be read. */
    async open(): Promise<Chain | undefined> {
      if (!isWhole && !isFresh) await read();
      return chain;
    },
    /** Reads the relayer again, since its cap may have changed; undefined if that was just done. */
    async again(): Promise<Chain | undefined> {
      if (isFresh) return undefined;
      await read();
      return chain;
    },
    /** Has to be called before each round of reads, so that `again` reads again. */
    nextRound(): void {
      isFresh = false;
    },
  };
}

/** Faults of nodes without a final block, or that are not believed. */
const FINAL: readonly string[] = ["no_method", "failed", "unreadable", "wrong_chain"];

/** Returns whether a chain's node has a final block. @throws RelayctlError usage if it doesn't */
export async function hasFinalBlock({ node }: Chain, now: number): Promise<boolean> {
  const found = await readEvmBlock(node, "finalized", now);
  if (!("fault" in found)) return true;
  const { kind, words } = found.fault;
  if (!FINAL.includes(kind)) return false;
  throw usageError([{ where: "final", rule: `${node.name} has no final block: ${words}` }]);
}
