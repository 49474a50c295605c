import type { ForeseenBump } from "../../../chain/bump/foresee-bump.ts";
import type { Call } from "../../command.ts";
import { capText, restoringCommand } from "../raised-cap/cap-text.ts";
import type { BumpPlan } from "./flags.ts";

/** Returns what raising caps means for their relayers, for the question. */
export async function raisedCapLines(
  call: Call,
  bumps: readonly ForeseenBump[],
  { raising, repetition, maxFee }: Pick<BumpPlan, "raising" | "repetition" | "maxFee">,
): Promise<string[]> {
  const caps = new Map<string, { from: bigint; to: bigint }>();
  for (const { relayerId, raisedCap } of bumps) {
    const to = caps.get(relayerId)?.to ?? 0n;
    if (raisedCap && raisedCap.to > to) caps.set(relayerId, raisedCap);
  }
  if (!raising || caps.size === 0) return [];
  const session = await call.session();
  const isRecorded = (await session.journal()) !== undefined;
  const most = maxFee === undefined ? "" : `, to ${capText(maxFee)} at most`;
  return [...caps].flatMap(([relayerId, { from, to }]) => [
    `gas_price_cap of ${relayerId} is raised from ${capText(from)} to ${capText(to)}${raising.isKept ? ", and stays raised" : ` until the bump is on its way`}`,
    `other transactions of ${relayerId} may pay up to ${capText(to)}${raising.isKept ? "" : " meanwhile"}`,
    ...(repetition && repetition.times > 1 ? [`further bumps raise it as far as they need${most}`] : []),
    ...(raising.isKept || isRecorded
      ? []
      : [
          `no journal is kept: if this process is killed, the cap stays raised; restore it with: ${restoringCommand(session.flags, { relayerId, from })}`,
        ]),
  ]);
}
