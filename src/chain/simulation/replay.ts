import type { ChainTransaction } from "../evm/read-evm.ts";
import type { ChainNode } from "../node/node.ts";
import type { AbiSource } from "./revert-reason.ts";
import { type Simulation, simulateCall } from "./simulate.ts";

/** Simulates a mined transaction on the state before its block, to find out why it reverted. */
export async function replayTransaction(
  node: ChainNode,
  { from, to, value, data, gasLimit, block }: ChainTransaction & { block: bigint },
  abis?: AbiSource,
): Promise<Simulation> {
  const before = block > 0n ? block - 1n : 0n;
  return await simulateCall(node, { from, to, value, data, gas: gasLimit }, before, abis);
}
