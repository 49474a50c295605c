import { runwayOf } from "../../../chain/runway/runway.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { RelayctlError } from "../../../errors.ts";
import type { Session } from "../../../session/session.ts";
import type { Runways } from "../../../views/relayer-status/words.ts";
import type { Call } from "../../command.ts";
import type { LiveValues } from "../live/values.ts";
import { namesRunway } from "../status/status-reads.ts";
import { askNodes } from "./ask-nodes.ts";
import { addBalances, addPast, type Memory, runwaysIn } from "./create-monitor.ts";

export interface ReadRunways {
  runways: Runways;
  /** Why older balances of a relayer could not be read. */
  failures: ReadonlyMap<string, RelayctlError>;
}

/** Returns how long balances last, from earlier reads. Older ones are read only if the output selects by it. */
export async function readRunways(
  call: Call,
  session: Session,
  relayers: readonly Relayer[],
  { values: { statuses }, memory }: { values: LiveValues; memory: Memory },
): Promise<ReadRunways> {
  addBalances(memory, statuses, call.app.clock.now());
  const known = namesRunway(call.output) ? relayers.filter(({ id }) => statuses.has(id)) : [];
  const failures = await askNodes(call, session, known, (asked) => addPast(memory, asked));
  const found = [...statuses.keys()].map((id) => [id, runwayOf(memory.samples.get(id) ?? [])] as const);
  return { runways: runwaysIn(found), failures };
}

/** Returns a note about the relayers whose runway is not known. */
export function runwayNotes({ failures }: Pick<ReadRunways, "failures">): string[] {
  return [...failures].map(([id, { message }]) => `note: the runway of ${id} is not known: ${message}`);
}
