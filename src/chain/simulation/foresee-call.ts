import { readEvmCode, readNonce } from "../evm/read-evm.ts";
import { type ChainNode, isNodeSilent } from "../node/node.ts";
import type { AbiSource } from "./revert-reason.ts";
import { type SimulatedCall, type Simulation, simulateCall } from "./simulate.ts";

export interface ForeseenCall {
  simulation: Simulation;
  /** Set if the call only fails because of its gas limit: what it uses without one, if the node shows that. */
  lacksGas?: { used: bigint | undefined };
  /** How many transactions of the sender are mined before it; undefined if unknown or irrelevant. */
  ahead?: bigint;
  /** Set if the call has data, and its receiver has no code to run. */
  hasNoCode?: boolean;
}

export interface SimulationContext {
  nonce?: bigint | undefined;
  abis?: AbiSource | undefined;
}

/**
 * Simulates the call of a transaction after the newest block. If it reverts, simulates it again in front of what could
 * change that: after the sender's pending transactions, and without its gas limit. A replacement is never simulated
 * after the pending transactions, since they include the earlier version.
 */
export async function foreseeCall(
  node: ChainNode,
  call: SimulatedCall,
  context: SimulationContext = {},
): Promise<ForeseenCall> {
  const simulation = await simulateCall(node, call, "latest", context.abis);
  if (simulation.outcome === "reverted") return await addReason(node, call, simulation, context.nonce);
  const { to, data } = call;
  const { returnData = "0x", fault } = simulation;
  const mayHaveNoCode = to !== null && data !== "0x" && returnData === "0x" && !isReserved(to);
  if (!mayHaveNoCode || (fault && isNodeSilent(fault))) return { simulation };
  const code = await readEvmCode(node, to);
  return { simulation, ...("value" in code && { hasNoCode: code.value === "0x" }) };
}

/** Returns whether an address may be a precompiled contract, which has no code and runs all the same. */
function isReserved(address: string): boolean {
  return BigInt(address) <= 0xffffn;
}

async function addReason(node: ChainNode, call: SimulatedCall, simulation: Simulation, nonce: bigint | undefined) {
  const ahead = await readAhead(node, call.from, nonce);
  if (nonce === undefined && ahead !== undefined && ahead > 0n) {
    const after = await simulateCall(node, call, "pending");
    if (after.outcome === "succeeded") return { simulation: after, ahead };
  }
  const found = { simulation, ...(ahead !== undefined && { ahead }) };
  if (call.gas === undefined || !mayLackGas(simulation)) return found;
  const { gas: _, ...unlimited } = call;
  const { outcome, gasUsed: used } = await simulateCall(node, unlimited, "latest");
  return outcome === "succeeded" ? { ...found, lacksGas: { used } } : found;
}

/** Returns whether a call may have run out of gas: the contract then gives no reason. */
function mayLackGas({ reason }: Simulation): boolean {
  return reason === undefined || reason.kind === "empty" || reason.kind === "message";
}

async function readAhead(node: ChainNode, from: string, nonce: bigint | undefined): Promise<bigint | undefined> {
  const next = await readNonce(node, from, "latest");
  if ("fault" in next) return undefined;
  if (nonce !== undefined) return nonce > next.value ? nonce - next.value : 0n;
  const after = await readNonce(node, from, "pending");
  return "value" in after && after.value > next.value ? after.value - next.value : 0n;
}
