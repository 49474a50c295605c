import type { RelayctlError } from "../../../errors.ts";
import { failureToRead } from "../../../relayer-state/read-status-routes.ts";
import type { Session } from "../../../session/session.ts";
import type { Seen } from "../../../views/relayer-status/table.ts";
import type { Runways } from "../../../views/relayer-status/words.ts";
import type { Call } from "../../command.ts";
import type { LiveValues } from "../live/values.ts";
import { unknownNotes } from "../live/values.ts";
import { type Erc20Use, withErc20 } from "./erc20-use.ts";
import { isOnScreen, readShown, readShownValues, withValues } from "./shown-values.ts";
import { namedSpends, namesRunway, type StatusReads } from "./status-reads.ts";

export interface Joined {
  seen: Seen;
  notes: readonly string[];
  /** Set if a value could not be read. */
  failure?: RelayctlError | undefined;
}

export interface LiveReads {
  statusReads: StatusReads;
  erc20: Erc20Use | undefined;
}

/** Adds the values that take requests for each relayer to those that are displayed. */
export async function joinLive(call: Call, session: Session, seen: Seen, reads: LiveReads): Promise<Joined> {
  const live = await joinStatuses(call, session, seen, reads.statusReads);
  if (!reads.erc20) return live;
  const { readErc20 } = await import("../monitor/erc20.ts");
  const relayers = (await readShown(call, live.seen.found)).map(({ relayer }) => relayer);
  const read = await readErc20(call, session, relayers, reads.erc20.names);
  return {
    seen: withErc20(live.seen, reads.erc20, read),
    notes: [...live.notes, ...read.notes],
    failure: live.failure ?? failureToRead(read.balances.keys(), read.failures, call),
  };
}

async function joinStatuses(call: Call, session: Session, seen: Seen, statusReads: StatusReads): Promise<Joined> {
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
