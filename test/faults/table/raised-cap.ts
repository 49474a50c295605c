import { isJsonObject } from "../../../src/contract/json.ts";
import type { State } from "../server/service/state.ts";
import type { Ended } from "../world.ts";
import type { Command } from "./command.ts";

/** The relayer whose cap is raised. */
const RELAYER = "evm-1";

/** Gives the relayer the cap that a command raises, if it raises one. */
export function lowerCap({ raisedCap }: Command, { relayers }: State): void {
  const relayer = relayers.get(RELAYER);
  if (raisedCap === undefined || !relayer) return;
  const policies = isJsonObject(relayer.policies) ? relayer.policies : {};
  relayers.set(RELAYER, { ...relayer, policies: { ...policies, gas_price_cap: raisedCap } });
}

/** Returns what is wrong with the cap in the end: it is as before, or the command that restores it was printed. */
export function capProblems({ raisedCap }: Command, { relayers }: State, { exitCode, stderr }: Ended): string[] {
  if (raisedCap === undefined) return [];
  if (exitCode === 0 && !stderr.includes(`gas_price_cap of ${RELAYER} is `)) return ["the cap was not raised"];
  const policies = relayers.get(RELAYER)?.policies;
  const cap = isJsonObject(policies) ? policies.gas_price_cap : undefined;
  const isPrinted = stderr.includes(`relayers update ${RELAYER} --policy gas_price_cap=${raisedCap}wei`);
  return BigInt(String(cap)) === raisedCap || isPrinted ? [] : [`the cap stayed at ${cap}`];
}
