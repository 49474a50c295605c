import { networkKind } from "../../contract/network-kind.ts";
import { readBalance, readBlock, readNonce } from "../evm/node-reads.ts";
import { addressOf } from "../evm/quantity.ts";
import { createMissing, isSilent, type Reading } from "../node/node.ts";
import type { Chain } from "../open-chain.ts";
import { readMarket } from "../replacement/read-market.ts";

/** What all bumps of a relayer share. Amounts are in wei. */
export type BumpFacts = Awaited<ReturnType<typeof readSurroundings>>;

export async function readSurroundings(chain: Chain, now: number) {
  const { node, network, relayer } = chain;
  const { missing, known } = createMissing();
  let isAsked = networkKind(relayer) === "evm";
  const ask = async <T>(reading: () => Promise<Reading<T>>): Promise<T | undefined> => {
    if (!isAsked) return undefined;
    const found = await reading();
    if ("fault" in found && isSilent(found.fault)) isAsked = false;
    return known(found);
  };
  const market = await ask(() => readMarket(node, network, relayer));
  const head = await ask(() => readBlock(node, "latest", now));
  const address = addressOf(relayer?.address);
  const balance = address ? await ask(() => readBalance(node, address)) : undefined;
  const nextNonce = address ? await ask(() => readNonce(node, address, "latest")) : undefined;
  return {
    chain,
    market: market?.market,
    head,
    baseFee: head?.baseFee ?? market?.baseFee,
    balance,
    nextNonce,
    missing,
  };
}
