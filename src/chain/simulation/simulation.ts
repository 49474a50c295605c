import type { NodeFault } from "../node/node.ts";
import type { RevertReason } from "./revert-reason.ts";

/** A call to simulate; it is never sent. Hex texts have their prefix; amounts are in wei. */
export interface SimulatedCall {
  from: string;
  /** Null for a contract creation. */
  to: string | null;
  value: bigint;
  data: string;
  /** The most gas that it may use (default: the node's limit). */
  gas?: bigint | undefined;
}

/** The methods in the order in which they are tried (facts 15.5). */
export type SimulationMethod = "eth_simulateV1" | "debug_traceCall" | "eth_call with override" | "eth_call";

export interface Simulation {
  /** `unknown` if the node shows it in no way. */
  outcome: "succeeded" | "reverted" | "unknown";
  by?: SimulationMethod;
  /** Hex in lowercase, at most 64 KiB; absent if the node does not show it. */
  returnData?: string;
  gasUsed?: bigint;
  /** Why it reverted; absent if the node only shows that it does. */
  reason?: RevertReason;
  /** How the simulated call differs from a real one, on one line (facts 15.13). */
  caveat?: string;
  fault?: NodeFault;
}
