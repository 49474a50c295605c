import type { ChainNow } from "./chain-now.ts";

export interface PurseWorld {
  readChain(): Promise<ChainNow>;
  /** Returns what the purse's transactions take from it after that state. */
  readOutgoing(at: ChainNow): Promise<bigint>;
  address: string;
  /** What has to stay in it. */
  least: bigint;
}

/** The relayer that pays. */
export interface Purse {
  /**
   * Reserves what a payment takes at most, with its fee. Payments are reserved one after the other, and each by the present
   * balance: others can spend from the purse too.
   * @returns false if less than the least would stay
   */
  reserve(cost: bigint): Promise<boolean>;
}

/** @param outgoing what is on its way out of it before the first payment */
export function openPurse({ readChain, readOutgoing, address, least }: PurseWorld, outgoing: bigint): Purse {
  /** At most what is on its way: a payment that was mined since is counted twice, until that matters. */
  let reserved = outgoing;
  let last: Promise<unknown> = Promise.resolve();
  const reserve = async (cost: bigint) => {
    let at = await readChain();
    if ((await at.balanceOf(address)) - reserved - cost < least) {
      at = await readChain();
      reserved = await readOutgoing(at);
      if ((await at.balanceOf(address)) - reserved - cost < least) return false;
    }
    reserved += cost;
    return true;
  };
  return {
    reserve(cost) {
      const next = last.then(() => reserve(cost));
      last = next.catch(() => {});
      return next;
    },
  };
}
