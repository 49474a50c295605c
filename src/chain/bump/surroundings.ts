import { networkKind } from "../../contract/network-kind.ts";
import { readBalance, readNonce } from "../evm/account.ts";
import { type Block, readBlock } from "../evm/block.ts";
import { addressOf } from "../evm/quantity.ts";
import { isSilent } from "../node/fault-kind.ts";
import type { Reading } from "../node/node.ts";
import type { Chain } from "../open-chain.ts";
import type { Market } from "../replacement/fees.ts";
import { readMarket } from "../replacement/read-market.ts";

/** What counts for all bumps of a relayer. Amounts are in wei. */
export interface Surroundings {
  chain: Chain;
  market: Market | undefined;
  head: Block | undefined;
  baseFee: bigint | undefined;
  balance: bigint | undefined;
  nextNonce: bigint | undefined;
  /** Why parts are not known, in one line each. */
  missing: readonly string[];
}

/** Reads what decides about a bump besides the record, on EVM. @param now milliseconds since 1970 */
export async function readSurroundings(chain: Chain, now: number): Promise<Surroundings> {
  const { node, network, relayer } = chain;
  const missing: string[] = [];
  let isAsked = networkKind(relayer) === "evm";
  const ask = async <T>(reading: () => Promise<Reading<T>>): Promise<T | undefined> => {
    if (!isAsked) return undefined;
    const found = await reading();
    if ("value" in found) return found.value;
    if (isSilent(found.fault)) isAsked = false;
    if (!missing.includes(found.fault.words)) missing.push(found.fault.words);
    return undefined;
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
