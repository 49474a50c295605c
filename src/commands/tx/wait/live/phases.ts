import type { Standing } from "../../../../chain/follow/followed.ts";
import type { Goal } from "../../../../chain/follow/goal.ts";
import { statusOf } from "../../../../contract/transaction/transaction-state.ts";
import type { Phase } from "../../../../terminal/live-screen/ladder.ts";

const PHASES = ["pending", "sent", "submitted", "mined"];
/** Positions in the phases. */
const [SENT, SUBMITTED, MINED] = [1, 2, 3];

const PHASES_OF_GOAL: Readonly<Record<Goal["until"], number>> = { broadcast: 3, mined: 4, confirmed: 5, final: 5 };

/**
 * Returns how far a transaction has come, up to what is waited for.
 * @param isCancellation whether its cancellation is waited for
 */
export function phasesOf({ record, verdict, end }: Standing, { until }: Goal, isCancellation: boolean): Phase[] {
  const last = isCancellation ? "canceled" : until === "final" ? "final" : "confirmed";
  const words = [...PHASES, last].slice(0, PHASES_OF_GOAL[until]);
  const at = record === undefined ? -1 : positionOf(statusOf(record), verdict?.stage);
  const done = (word: string): Phase => ({ word, state: "done" });
  if (end === "reached") return words.filter((word, index) => index <= at || word === words.at(-1)).map(done);
  if (end !== undefined && end !== "pending") {
    const word = verdict?.verdict.replaceAll("_", " ") ?? "unknown";
    return [...PHASES.slice(0, at + 1).map(done), { word, state: "failed" }];
  }
  return words.map((word, index) => ({ word, state: index < at ? "done" : index === at ? "now" : "ahead" }));
}

function positionOf(status: string, stage: NonNullable<Standing["verdict"]>["stage"] | undefined): number {
  if (stage === "mined") return MINED;
  if (stage === "broadcast") return SUBMITTED;
  if (stage === "unsigned" || status === "pending") return 0;
  return status === "sent" ? SENT : SUBMITTED;
}
