import type { ForeseenCall } from "../../chain/simulation/foresee-call.ts";
import type { SimulatedCall } from "../../chain/simulation/simulation.ts";
import { floorGas } from "../../contract/transaction/intrinsic-gas.ts";
import type { Problem } from "../../errors.ts";
import { reasonRows } from "./ending.ts";

/** Returns why a call is not sent: `the call would revert: ERC20: transfer amount exceeds balance`. */
export function revertText(foreseen: ForeseenCall, { gas }: Pick<SimulatedCall, "gas">): string {
  const { simulation, lacksGas } = foreseen;
  if (lacksGas) {
    const { used } = lacksGas;
    return `gas limit ${gas} is too low: without a limit, the call succeeds${used === undefined ? "" : ` and uses ${used} gas`}`;
  }
  const { reason } = simulation;
  return reason ? `the call would revert: ${reason.words}` : "the call would revert, and the node does not show why";
}

export function revertRows({ simulation: { reason, by = "eth_call" }, lacksGas }: ForeseenCall): Problem[] {
  return [...(lacksGas ? [] : reasonRows(reason)), { where: "simulated with", rule: by }];
}

export function doubtLines({ simulation: { caveat }, ahead = 0n }: ForeseenCall): string[] {
  const waiting = ahead === 1n ? "1 pending transaction is" : `${ahead} pending transactions are`;
  return [
    ...(ahead > 0n ? [`${waiting} mined before it, which may change the result`] : []),
    ...(caveat === undefined ? [] : [caveat]),
  ];
}

/** Returns the row of a question: `succeeds, uses 51234 of 100000 gas`; undefined if the outcome is unknown. */
export function outcomeText(foreseen: ForeseenCall, call: Pick<SimulatedCall, "gas">): string | undefined {
  const { outcome, gasUsed, reason } = foreseen.simulation;
  if (outcome === "unknown") return undefined;
  if (outcome === "reverted")
    return foreseen.lacksGas ? revertText(foreseen, call) : `reverts${reason ? `: ${reason.words}` : ""}`;
  if (gasUsed === undefined) return "succeeds";
  return `succeeds, uses ${gasUsed}${call.gas === undefined ? "" : ` of ${call.gas}`} gas`;
}

/** Returns what a user should know before sending a call that does not revert. */
export function callWarnings({ simulation, hasNoCode }: ForeseenCall, { to, data, gas }: SimulatedCall): string[] {
  const floor = floorGas(data);
  const isBelow = gas !== undefined && gas < floor && data !== "0x" && simulation.outcome !== "succeeded";
  return [
    ...(hasNoCode ? [`${to} has no code, so the data has no effect`] : []),
    ...(isBelow ? [`gas limit ${gas} is below ${floor}, which networks with EIP-7623 require for this data`] : []),
  ];
}

export function unknownText({ simulation: { fault } }: ForeseenCall): string {
  const why =
    fault?.kind === "no_method" ? "the node has no method for it" : (fault?.words ?? "the node shows nothing");
  return `not simulated: ${why}`;
}
