import type { RelayctlError } from "../../../errors.ts";
import { failureToReadStatus } from "../../../relayer-state/read-status-routes.ts";
import type { Session } from "../../../session/session.ts";
import type { Seen } from "../../../views/relayer-status/table.ts";
import type { Call } from "../../command.ts";
import { type LiveValues, unknownStatusNotes } from "../live/values.ts";
import { type Erc20Use, withErc20 } from "./erc20-use.ts";
import { isOnScreen, readShown, readShownValues, withValues } from "./shown-values.ts";
import { namedSpends, namesRunway, type StatusReads } from "./status-reads.ts";

export interface Joined {
  seen: Seen;
  notes: readonly { note: string }[];
  /** Set if a value could not be read. */
  failure?: RelayctlError | undefined;
}

export interface LiveReads {
  statusReads: StatusReads;
  erc20: Erc20Use | undefined;
}

export async function joinLive(call: Call, session: Session, seen: Seen, reads: LiveReads): Promise<Joined> {
  const live = await joinStatuses(call, session, seen, reads.statusReads);
  if (!reads.erc20) return live;
  const { readErc20 } = await import("../monitor/erc20.ts");
  const relayers = (await readShown(call, live.seen.found)).map(({ relayer }) => relayer);
  const read = await readErc20(call, session, relayers, reads.erc20.names);
  return {
    seen: withErc20(live.seen, reads.erc20, read),
    notes: [...live.notes, ...read.notes],
    failure: live.failure ?? failureToReadStatus(read.balances.keys(), read.failures, call.app.interrupt),
  };
}

async function joinStatuses(call: Call, session: Session, seen: Seen, statusReads: StatusReads): Promise<Joined> {
  const { values, whyNone } = await readShownValues(call, session, seen, { statusReads });
  if (!values) return { seen, notes: [{ note: whyNone }] };
  const notes = values.hasNoRoute || !isOnScreen(call) ? unknownStatusNotes(values) : [];
  const ids = [...values.statuses.keys(), ...values.failures.keys()];
  const failure = failureToReadStatus(ids, values.failures, call.app.interrupt);
  const lasting = namesRunway(call.output) ? await loadRunways(call, session, seen, values) : undefined;
  const shown = await withValues(call, seen, values, lasting?.runways);
  const spent = await loadSpends(call, session, shown);
  return {
    seen: { ...shown, ...(spent && { spends: spent.spends }) },
    notes: [...notes, ...(lasting?.notes ?? []), ...(spent?.notes ?? [])],
    failure: failure ?? failureToReadStatus(ids, lasting?.failures ?? new Map(), call.app.interrupt),
  };
}

async function loadRunways(call: Call, session: Session, { found }: Seen, values: LiveValues) {
  const { readRunways, runwayNotes } = await import("../monitor/create-monitor.ts");
  const relayers = found.map(({ relayer }) => relayer);
  const memory = { samples: new Map(), looked: new Set<string>() };
  const read = await readRunways(call, session, relayers, { values, memory });
  return { ...read, notes: runwayNotes(read) };
}

async function loadSpends(call: Call, session: Session, { found }: Seen) {
  const windows = namedSpends(call.output);
  if (windows.length === 0) return undefined;
  const { readSpends, spendNotes } = await import("../monitor/spends.ts");
  const relayers = found.map(({ relayer }) => relayer);
  const read = await readSpends(call, session, relayers, windows);
  return { ...read, notes: spendNotes(read) };
}
