import { usageError } from "../../errors.ts";
import { readBlock } from "../evm/block.ts";
import { type Chain, type ChainSource, openChain } from "../open-chain.ts";

/** How often a relayer and its network are read before the defaults count until a read succeeds. */
const MOST_TRIES = 3;

/** The chain of one relayer, opened once it could be read as a whole, and kept while transactions are followed. */
export interface RelayerChain {
  /** Returns the chain; undefined while the relayer or its network cannot be read. */
  open(): Promise<Chain | undefined>;
  /** Reads the relayer again, since its cap may have changed; returns undefined if that was just done. */
  again(): Promise<Chain | undefined>;
  /** Forgets that the relayer was just read. To be called before each round of reads. */
  nextRound(): void;
}

export function createRelayerChain(source: ChainSource): RelayerChain {
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
    async open() {
      if (!isWhole && !isFresh) await read();
      return chain;
    },
    async again() {
      if (isFresh) return undefined;
      await read();
      return chain;
    },
    nextRound() {
      isFresh = false;
    },
  };
}

/** Faults of nodes that have no final block, or are not believed. */
const FINAL: readonly string[] = ["no_method", "failed", "unreadable", "wrong_chain"];

/** Returns whether a chain's node has a final block. @param now milliseconds @throws RelayctlError usage if none */
export async function hasFinalBlock({ node }: Chain, now: number): Promise<boolean> {
  const found = await readBlock(node, "finalized", now);
  if (!("fault" in found)) return true;
  const { kind, words } = found.fault;
  if (!FINAL.includes(kind)) return false;
  throw usageError([{ where: "final", rule: `${node.name} has no final block: ${words}` }]);
}
