import { parseQuantity } from "../../chain/evm/quantity.ts";
import { readBalance, readNonce } from "../../chain/evm/read-evm.ts";
import { type ChainNode, nodeValue, type Reading, readFromNode } from "../../chain/node/node.ts";

/** The state after one block: a node with a load balancer may alternate between newer and older states. */
export type ChainNow = Awaited<ReturnType<typeof readPurseChain>>;

export async function readPurseChain(node: ChainNode) {
  const block = await readTwice(() => readFromNode(node, "eth_blockNumber", [], parseQuantity));
  return {
    block,
    balanceOf: (address: string) => readTwice(() => readBalance(node, address, block)),
    nonceOf: (address: string) => readTwice(() => readNonce(node, address, block)),
  };
}

async function readTwice<T>(ask: () => Promise<Reading<T>>): Promise<T> {
  const first = await ask();
  return nodeValue("fault" in first ? await ask() : first);
}

interface PurseWorld {
  readChain(): Promise<ChainNow>;
  /** Returns the amount that the purse's transactions take from it after that state. */
  readOutgoing(at: ChainNow): Promise<bigint>;
  address: string;
  least: bigint;
}

export type Purse = ReturnType<typeof openPurse>;

/** @param outgoing the amount on its way out of it before the first payment */
export function openPurse({ readChain, readOutgoing, address, least }: PurseWorld, outgoing: bigint) {
  /** At most the amount on its way: a payment that was mined since is counted twice, until that matters. */
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
    reserve(cost: bigint) {
      const next = last.then(() => reserve(cost));
      last = next.catch(() => {});
      return next;
    },
  };
}
