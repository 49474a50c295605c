import type { Abi } from "../../contract/abi.ts";
import { quantityText } from "../evm/quantity.ts";
import type { ChainNode, NodeFaultKind } from "../node/node.ts";
import { withCustomError } from "./custom-error.ts";
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

/** Faults after which no other method would work either. */
const FINAL: readonly NodeFaultKind[] = ["refused", "unreachable", "limited", "wrong_chain", "exhausted"];

const CAVEAT =
  "simulated with code at the sender's address: tx.origin, the sender's code, and the sender's balance differ";

/**
 * Asks a node what a call would do, and why it would revert (facts 15.5, 15.13): with the method that shows the most,
 * and with the next one only if the node lacks or refuses that. Takes at most four calls.
 * @param abis the ABIs by which a custom error is decoded, besides well-known standards
 */
export async function simulate(
  node: ChainNode,
  call: SimulatedCall,
  at: SimulationBlock,
  abis: readonly Abi[] = [],
): Promise<Simulation> {
  const block = typeof at === "bigint" ? quantityText(at) : at;
  let unknown: Simulation = { outcome: "unknown" };
  for (const [by, way] of WAYS) {
    if (way === byOverride && !canOverride(call)) continue;
    const found = await way(node, call, block);
    if ("value" in found)
      return { ...(await shown(found.value, abis)), by, ...(way === byOverride && { caveat: CAVEAT }) };
    unknown = { outcome: "unknown", fault: found.fault };
    if (FINAL.includes(found.fault.kind)) break;
  }
  return unknown;
}

async function shown({ isReverted, data, gasUsed, message }: Ran, abis: readonly Abi[]): Promise<Simulation> {
  return {
    outcome: isReverted ? "reverted" : "succeeded",
    ...(data !== undefined && { returnData: data }),
    ...(gasUsed !== undefined && { gasUsed }),
    ...(isReverted &&
      (data ?? message) !== undefined && { reason: await withCustomError(revertReason(data ?? "0x", message), abis) }),
  };
}
