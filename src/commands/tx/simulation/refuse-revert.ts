import type { ForeseenCall } from "../../../chain/simulation/foresee-call.ts";
import type { SimulatedCall } from "../../../chain/simulation/simulation.ts";
import { repeatedCommand } from "../../../command-support/repeated-command.ts";
import { RelayctlError } from "../../../errors.ts";
import { shellOf } from "../../../shell/shell-of.ts";
import { doubtLines, revertRows, revertText } from "../../../views/transaction/simulation-words.ts";
import type { Call } from "../../command.ts";
import type { SimulationFlags } from "./flags.ts";

/** Refuses a call that would revert. @throws RelayctlError rejected, unless that is accepted; nothing was sent */
export async function refuseRevert(
  call: Call<SimulationFlags>,
  foreseen: ForeseenCall,
  simulated: SimulatedCall,
): Promise<void> {
  const words = revertText(foreseen, simulated);
  if (call.flags.evenIfItReverts) return await call.say(`warning: ${words}`);
  const details = revertRows(foreseen);
  const data = details.filter(({ where }) => where === "revert data").map(({ where, rule }) => `${where}: ${rule}`);
  throw new RelayctlError("rejected", words, {
    because: ["nothing was sent", ...data, ...doubtLines(foreseen)],
    details,
    // The message and the lines after it contain what a user needs of the details.
    summary: [],
    hint: repeatedCommand(call.argv, ["--even-if-it-reverts"], shellOf(call.app.env)),
  });
}
