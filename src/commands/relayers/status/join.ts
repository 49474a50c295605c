import type { RelayctlError } from "../../../errors.ts";
import { failureToRead } from "../../../relayer-state/read-status-routes.ts";
import type { Session } from "../../../session/session.ts";
import type { Seen } from "../../../views/relayer-status/table.ts";
import type { Runways } from "../../../views/relayer-status/words.ts";
import type { Call } from "../../command.ts";
import type { LiveValues } from "../live/values.ts";
import { unknownNotes } from "../live/values.ts";
import { isOnScreen, readShownValues, withValues } from "./shown-values.ts";
import { namedSpends, namesRunway, type StatusReads } from "./status-reads.ts";

export interface Joined {
  seen: Seen;
  notes: readonly string[];
  /** Set if a value could not be read. */
  failure?: RelayctlError | undefined;
}

/** Adds the values that take requests for each relayer to those that are displayed. */
export async function joinLive(call: Call, session: Session, seen: Seen, statusReads: StatusReads): Promise<Joined> {
  const { values, whyNone } = await readShownValues(call, session, seen, { statusReads });
  if (!values) return { seen, notes: [`note: ${whyNone}`] };
  const notes = values.hasNoRoute || !isOnScreen(call) ? unknownNotes(values) : [];
  const runways = namesRunway(call.output) ? await loadRunways(call, session, seen, values) : undefined;
  const failure = failureToRead([...values.statuses.keys(), ...values.failures.keys()], values.failures, call);
  const shown = await withValues(call, seen, values, runways);
  const windows = namedSpends(call.output);
  if (windows.length === 0) return { seen: shown, notes, failure };
  const { readSpends, spendNotes } = await import("../monitor/spends.ts");
  const relayers = shown.found.map(({ relayer }) => relayer);
  const { spends, failures } = await readSpends(call, session, relayers, windows);
  return { seen: { ...shown, spends }, notes: [...notes, ...spendNotes({ failures })], failure };
}

async function loadRunways(call: Call, session: Session, { found }: Seen, values: LiveValues): Promise<Runways> {
  const { readRunways } = await import("../monitor/runways.ts");
  const relayers = found.map(({ relayer }) => relayer);
  return await readRunways(call, session, relayers, { values, memory: { samples: new Map(), looked: new Set() } });
}
