import { lastsText, runwayOf } from "../../../chain/runway/runway.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { Session } from "../../../session/session.ts";
import type { Runways } from "../../../views/relayer-status/words.ts";
import type { Call } from "../../command.ts";
import type { LiveValues } from "../live/values.ts";
import { namesRunway } from "../status/status-reads.ts";
import { askNodes } from "./ask-nodes.ts";
import { addBalances, addPast, type Memory } from "./create-monitor.ts";

/** Returns how long balances last, from earlier reads. Older ones are read only if the output selects by it. */
export async function readRunways(
  call: Call,
  session: Session,
  relayers: readonly Relayer[],
  { values: { statuses }, memory }: { values: LiveValues; memory: Memory },
): Promise<Runways> {
  addBalances(memory, statuses, call.app.clock.now());
  if (namesRunway(call.output)) {
    const known = relayers.filter(({ id }) => statuses.has(id));
    await askNodes(call, session, known, (asked) => addPast(memory, asked));
  }
  const runways: [string, { seconds: number; text: string }][] = [];
  for (const id of statuses.keys()) {
    const seconds = runwayOf(memory.samples.get(id) ?? [])?.seconds;
    if (seconds !== undefined) runways.push([id, { seconds: Number(seconds), text: lastsText(seconds) }]);
  }
  return new Map(runways);
}
