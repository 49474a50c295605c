import { canPrompt } from "../../command-support/prompting/prompts.ts";
import type { DiffFlag } from "../../command-support/shown.ts";
import { drawsSymbol } from "../coins/drawn-symbol.ts";
import type { Call } from "../command.ts";
import type { ForceFlag } from "./replacement/prediction-words.ts";
import type { Simulating, SimulationFlags } from "./simulation/flags.ts";

/** How a transaction is sent or changed, by the flags and the terminal. */
export interface Manner {
  /** Whether it is sent even if the service would never broadcast it. */
  isForced: boolean;
  /** Whether a user is at the terminal. */
  isAttended: boolean;
  /** Whether the user can be asked, since no flag agrees. */
  isAsked: boolean;
  /** Whether calls are described: to a user, or with `--diff`. */
  isDescribed: boolean;
  /** Whether the change is shown before it is sent. */
  isShown: boolean;
  /** Whether the result is drawn with amounts in coins. */
  drawsAmounts: boolean;
  /** Absent if nothing is simulated. */
  simulating?: Simulating;
}

export function typedManner(call: Call<DiffFlag & ForceFlag & SimulationFlags>): Manner {
  const { diff = false, force = false, simulate: isTyped = false, evenIfItReverts = false } = call.flags;
  const draws = drawsSymbol(call);
  const isAttended = canPrompt(call.app, call.common);
  const isAsked = isAttended && !call.common.yes;
  return {
    isForced: force,
    isAttended,
    isAsked,
    isDescribed: diff || isAttended,
    isShown: diff || isAsked,
    drawsAmounts: draws,
    ...((isTyped || isAttended) && { simulating: { isTyped, acceptsRevert: evenIfItReverts, argv: call.argv } }),
  };
}
