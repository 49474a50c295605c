import type { ForeseenBump } from "../../../chain/bump/foresee-bump.ts";
import type { Broadcast } from "../../../chain/replacement/broadcast.ts";
import { commandLine } from "../../../command-support/shell-words.ts";
import { WEI } from "../../../contract/currency.ts";
import { RelayctlError } from "../../../errors.ts";
import { broadcastLine } from "../replacement/broadcast-line.ts";
import { obstacleWords } from "../replacement/prediction-words.ts";

/** Returns what became of a bump that did not fail; undefined if only its failure says it. */
export function bumpedLine({ record, request }: ForeseenBump, broadcast: Broadcast): string | undefined {
  if (broadcast.state === "never_broadcast" || broadcast.state === "unknown") return undefined;
  const isEarlier = broadcast.state === "over" && broadcast.mined?.toLowerCase() === record.hash?.toLowerCase();
  // Both versions send the same: only what was paid differs.
  if (isEarlier && request.change === "replace") return `mined before the bump was sent, as ${broadcast.mined}`;
  return broadcastLine(broadcast, { before: record, change: request.change });
}

/** Returns the error of a bump that will not be broadcast, or of which that is not known. */
export function broadcastFailure(
  { relayerId, record, request, question: { cap } }: ForeseenBump,
  broadcast: Broadcast,
  session: readonly string[],
): RelayctlError | undefined {
  const { id } = record;
  const line = (verb: string, ...flags: string[]) => commandLine(...session, "tx", verb, relayerId, id, ...flags);
  if (broadcast.state === "unknown") {
    const because = broadcast.why.length > 0 ? broadcast.why : ["no node knows it yet"];
    return new RelayctlError(
      "pending",
      `the bump of ${id} was accepted, but it is not known whether it is on its way`,
      {
        applied: "yes",
        retryable: false,
        because,
        hint: line("wait"),
      },
    );
  }
  if (broadcast.state !== "never_broadcast") return undefined;
  const { obstacle, instead } = broadcast;
  const words = obstacleWords({ change: request.change, cap, now: undefined }, obstacle, WEI);
  return new RelayctlError("unmet", `never broadcast: ${words ?? "the service sends nothing"}`, {
    applied: "yes",
    retryable: false,
    details: [{ where: `${relayerId}/${id}`, given: "never_broadcast", rule: words ?? obstacle.kind }],
    because: instead === undefined ? [] : [`what will be mined instead: ${instead}`],
    hint: obstacle.kind === "cap" ? line("cancel") : line("wait"),
  });
}
