import { quantityText } from "../evm/quantity.ts";
import { isSilent } from "../node/fault-kind.ts";
import type { ChainNode } from "../node/node.ts";
import { type AbiSource, withCustomError } from "./custom-error.ts";
import { revertReason } from "./revert-reason.ts";
import type { SimulatedCall, Simulation, SimulationMethod } from "./simulation.ts";
import { byCall, byOverride, bySimulation, byTrace, canOverride, type Ran, type Way } from "./ways.ts";

/** The block after which a call is made. */
export type SimulationBlock = bigint | "latest" | "pending";

const WAYS: readonly (readonly [SimulationMethod, Way])[] = [
  ["eth_simulateV1", bySimulation],
  ["debug_traceCall", byTrace],
  ["eth_call with override", byOverride],
  ["eth_call", byCall],
];

const CAVEAT =
  "simulated with code at the sender's address: tx.origin, the sender's code, and the sender's balance differ";

/**
 * Asks a node what a call would do, and why it would revert (facts 15.5, 15.13): with the method that shows the most,
 * and with the next one only if the node lacks or refuses that. Sends at most four requests.
 */
export async function simulate(
  node: ChainNode,
  call: SimulatedCall,
  at: SimulationBlock,
  abis?: AbiSource,
): Promise<Simulation> {
  const block = typeof at === "bigint" ? quantityText(at) : at;
  let unknown: Simulation = { outcome: "unknown" };
  for (const [by, way] of WAYS) {
    if (way === byOverride && !canOverride(call)) continue;
    const found = await way(node, call, block);
    if ("value" in found && way === byOverride) {
      const { isOwn, ran } = await confirmed(node, call, block, found.value);
      return { ...(await shown(ran, abis)), ...(isOwn ? { by: "eth_call" } : { by, caveat: CAVEAT }) };
    }
    if ("value" in found) return { ...(await shown(found.value, abis)), by };
    unknown = { outcome: "unknown", fault: found.fault };
    if (isSilent(found.fault)) break;
  }
  return unknown;
}

/**
 * Confirms what an override shows with a plain call, which decides: a contract that checks who calls it may do something
 * else with code at the sender's address (facts 15.13).
 */
async function confirmed(
  node: ChainNode,
  call: SimulatedCall,
  block: string,
  relayed: Ran,
): Promise<{ isOwn: boolean; ran: Ran }> {
  const plain = await byCall(node, call, block);
  const isOwn = "value" in plain && (plain.value.isReverted !== relayed.isReverted || plain.value.data !== undefined);
  return isOwn ? { isOwn, ran: plain.value } : { isOwn, ran: relayed };
}

async function shown({ isReverted, data, gasUsed, message }: Ran, abis: AbiSource | undefined): Promise<Simulation> {
  return {
    outcome: isReverted ? "reverted" : "succeeded",
    ...(data !== undefined && { returnData: data }),
    ...(gasUsed !== undefined && { gasUsed }),
    ...(isReverted &&
      (data ?? message) !== undefined && { reason: await withCustomError(revertReason(data ?? "0x", message), abis) }),
  };
}
