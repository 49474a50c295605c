import type { ForeseenBump } from "../../../chain/bump/foresee-bump.ts";
import { isSilent } from "../../../chain/node/fault-kind.ts";
import type { AbiSource } from "../../../chain/simulation/custom-error.ts";
import { type ForeseenCall, foreseeCall } from "../../../chain/simulation/foresee-call.ts";
import type { SimulatedCall } from "../../../chain/simulation/simulation.ts";
import { wireAmount } from "../../../contract/amount.ts";
import type { Call } from "../../command.ts";
import { abiSource } from "../call/abi-source.ts";
import { isBumpSimulated, type SimulationFlags } from "./flags.ts";
import { callOf, withinTime } from "./simulated-call.ts";
import { unknownText } from "./simulation-words.ts";

/** A bump, and what its call would do. */
export interface SimulatedBump {
  bump: ForeseenBump;
  simulated: SimulatedCall;
  foreseen: ForeseenCall;
}

/**
 * Simulates those bumps that are to be simulated, and notes in one line each reason why some could not be. A node that
 * does not respond is asked only once.
 */
export async function foreseeBumps(
  call: Call<SimulationFlags>,
  bumps: readonly ForeseenBump[],
): Promise<SimulatedBump[]> {
  const found: SimulatedBump[] = [];
  const unknown = new Map<string, number>();
  const abis = abiSource(call);
  const silent = new Map<string, string>();
  for (const bump of bumps.filter(({ request: { body } }) => body && isBumpSimulated(call, body.data))) {
    const { relayerId } = bump;
    const foreseen = silent.get(relayerId) ?? (await foresee(call, bump, abis));
    if (typeof foreseen !== "string") found.push(foreseen);
    const { why, isSilent } = failureOf(foreseen);
    if (why !== undefined) unknown.set(why, (unknown.get(why) ?? 0) + 1);
    if (why !== undefined && isSilent) silent.set(relayerId, why);
  }
  for (const [why, count] of unknown)
    await call.say(`note: ${bumps.length === 1 ? "" : `${count} of ${bumps.length} transactions `}${why}`);
  return found;
}

/** Returns what a bump would do, or why it cannot be simulated. */
async function foresee(call: Call, bump: ForeseenBump, abis: AbiSource): Promise<SimulatedBump | string> {
  const { record, request, surroundings } = bump;
  const { relayer, node } = surroundings.chain;
  const simulated = callOf({ from: relayer?.address ?? record.from, body: request.body ?? {} });
  if (typeof simulated === "string") return `not simulated: ${simulated}`;
  const nonce = wireAmount(record.nonce);
  const foreseen = await foreseeCall(withinTime(call, node), simulated, { nonce, abis });
  return { bump, simulated, foreseen };
}

function failureOf(found: SimulatedBump | string): { why: string | undefined; isSilent: boolean } {
  if (typeof found === "string") return { why: found, isSilent: false };
  const { outcome, fault } = found.foreseen.simulation;
  if (outcome !== "unknown") return { why: undefined, isSilent: false };
  return { why: unknownText(found.foreseen), isSilent: fault !== undefined && isSilent(fault) };
}
