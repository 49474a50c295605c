import type { ForeseenBump } from "../../../chain/bump/foresee-bump.ts";
import { repeatedCommand } from "../../../command-support/repeated-command.ts";
import { shellOf } from "../../../command-support/shell/shell-of.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Call } from "../../command.ts";
import type { SimulationFlags } from "./flags.ts";
import { foreseeBumps, type SimulatedBump } from "./foresee-bumps.ts";
import { refuseRevert } from "./refuse-revert.ts";
import { callWarnings, doubtLines, outcomeText, revertRows, revertText } from "./simulation-words.ts";

/** The bumps that are sent, and what each would do, in words, if it was simulated. */
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
