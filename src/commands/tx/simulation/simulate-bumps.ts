import type { ForeseenBump } from "../../../chain/bump/foresee-bump.ts";
import { isSilent } from "../../../chain/node/fault-kind.ts";
import { type ForeseenCall, foreseeCall } from "../../../chain/simulation/foresee-call.ts";
import type { AbiSource } from "../../../chain/simulation/revert-reason.ts";
import type { SimulatedCall } from "../../../chain/simulation/simulation.ts";
import { repeatedCommand } from "../../../command-support/repeated-command.ts";
import { wireAmount } from "../../../contract/amount.ts";
import { RelayctlError } from "../../../errors.ts";
import { shellOf } from "../../../shell/shell-of.ts";
import {
  callWarnings,
  doubtLines,
  outcomeText,
  revertRows,
  revertText,
  unknownText,
} from "../../../views/transaction/simulation-words.ts";
import type { Call } from "../../command.ts";
import { abiSource } from "../call/abi-source.ts";
import { isBumpSimulated, type SimulationFlags } from "./flags.ts";
import { callOf, refuseRevert, withinTime } from "./simulated-call.ts";

export interface SimulatedBumps {
  bumps: readonly ForeseenBump[];
  outcomes: ReadonlyMap<ForeseenBump, string>;
}

/**
 * Simulates bumps of calls with data, or with `--simulate` all. One that would revert is refused, or left out if the
 * relayer's stuck ones are meant. If others of the relayer are mined before it, it is only warned about: they may change
 * the result, and the call is pending anyway.
 * @throws RelayctlError rejected; nothing was sent
 */
export async function simulateBumps(
  call: Call<SimulationFlags>,
  bumps: readonly ForeseenBump[],
  isStuck: boolean,
): Promise<SimulatedBumps> {
  const found = await foreseeBumps(call, bumps);
  for (const each of found) await warn(call, each, bumps.length === 1);
  const reverting = found.filter((each) => isRefused(call, each));
  const refused = new Set(reverting.map(({ bump }) => bump));
  const kept = bumps.filter((bump) => !refused.has(bump));
  if (reverting.length > 0 && (!isStuck || kept.length === 0)) await refuse(call, reverting, bumps.length);
  for (const { bump, foreseen, simulated } of reverting)
    await call.say(`note: ${bump.record.id} is left out: ${revertText(foreseen, simulated)}`);
  const outcomes = found.flatMap(({ bump, foreseen, simulated }) => {
    const text = outcomeText(foreseen, simulated);
    return text === undefined ? [] : [[bump, text] as const];
  });
  return { bumps: kept, outcomes: new Map(outcomes) };
}

function isRefused({ flags }: Call<SimulationFlags>, { foreseen: { simulation, ahead = 0n } }: SimulatedBump): boolean {
  return simulation.outcome === "reverted" && ahead === 0n && !flags.evenIfItReverts;
}

async function warn(call: Call<SimulationFlags>, each: SimulatedBump, isOne: boolean): Promise<void> {
  const { bump, foreseen, simulated } = each;
  const isWarned = foreseen.simulation.outcome === "reverted" && !isRefused(call, each);
  const revert = isWarned ? [[revertText(foreseen, simulated), ...doubtLines(foreseen)].join("; ")] : [];
  for (const warning of [...callWarnings(foreseen, simulated), ...revert])
    await call.say(`warning: ${isOne ? "" : `${bump.record.id}: `}${warning}`);
}

async function refuse(call: Call<SimulationFlags>, reverting: readonly SimulatedBump[], all: number): Promise<void> {
  const [first] = reverting;
  if (first && all === 1) return await refuseRevert(call, first.foreseen, first.simulated);
  const details = reverting.map(({ bump: { relayerId, record }, foreseen, simulated }) => {
    const data = revertRows(foreseen).filter(({ where }) => where === "revert data");
    const rule = [revertText(foreseen, simulated), ...data.map((row) => `${row.where}: ${row.rule}`)].join("; ");
    return { where: `${relayerId}/${record.id}`, rule };
  });
  throw new RelayctlError("rejected", `${reverting.length} of ${all} transactions would revert; nothing was sent`, {
    details,
    // A single problem is not listed below its error.
    summary: details.map(({ where, rule }) => `${where}: ${rule}`),
    hint: repeatedCommand(call.argv, ["--even-if-it-reverts"], shellOf(call.app.env)),
  });
}

interface SimulatedBump {
  bump: ForeseenBump;
  simulated: SimulatedCall;
  foreseen: ForeseenCall;
}

/** Simulates bumps, and notes each reason why some could not be. A node that is silent is asked only once. */
async function foreseeBumps(call: Call<SimulationFlags>, bumps: readonly ForeseenBump[]): Promise<SimulatedBump[]> {
  const found: SimulatedBump[] = [];
  const unknown = new Map<string, number>();
  const abis = abiSource(call);
  const silent = new Map<string, string>();
  for (const bump of bumps.filter(({ request: { body } }) => body && isBumpSimulated(call, body.data))) {
    const { relayerId } = bump;
    const foreseen = silent.get(relayerId) ?? (await foresee(call, bump, abis));
    if (typeof foreseen !== "string") found.push(foreseen);
    const { why, isSilent } = createFailure(foreseen);
    if (why !== undefined) unknown.set(why, (unknown.get(why) ?? 0) + 1);
    if (why !== undefined && isSilent) silent.set(relayerId, why);
  }
  for (const [why, count] of unknown)
    await call.say(`note: ${bumps.length === 1 ? "" : `${count} of ${bumps.length} transactions `}${why}`);
  return found;
}

async function foresee(call: Call, bump: ForeseenBump, abis: AbiSource): Promise<SimulatedBump | string> {
  const { record, request, surroundings } = bump;
  const { relayer, node } = surroundings.chain;
  const simulated = callOf({ from: relayer?.address ?? record.from, body: request.body ?? {} });
  if (typeof simulated === "string") return `not simulated: ${simulated}`;
  const nonce = wireAmount(record.nonce);
  const foreseen = await foreseeCall(withinTime(call, node), simulated, { nonce, abis });
  return { bump, simulated, foreseen };
}

function createFailure(found: SimulatedBump | string): { why: string | undefined; isSilent: boolean } {
  if (typeof found === "string") return { why: found, isSilent: false };
  const { outcome, fault } = found.foreseen.simulation;
  if (outcome !== "unknown") return { why: undefined, isSilent: false };
  return { why: unknownText(found.foreseen), isSilent: fault !== undefined && isSilent(fault) };
}
