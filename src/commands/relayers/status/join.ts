import type { RelayctlError } from "../../../errors.ts";
import { statusFailure } from "../../../relayer-state/read-status-routes.ts";
import type { Session } from "../../../session/session.ts";
import type { Seen } from "../../../views/relayer-status/table.ts";
import type { Call } from "../../command.ts";
import { type LiveValues, unknownLiveNotes } from "../live/values.ts";
import { type Erc20Use, statusWithErc20 } from "./erc20-use.ts";
import { isStatusShown, readShown, readShownValues, statusWithValues } from "./shown-values.ts";
import { type StatusReads, statusReadsRunway, statusReadsSpends } from "./status-reads.ts";

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
  const { readMonitorErc20 } = await import("../monitor/erc20.ts");
  const relayers = (await readShown(call, live.seen.found)).map(({ relayer }) => relayer);
  const read = await readMonitorErc20(call, session, relayers, reads.erc20.names);
  return {
    seen: statusWithErc20(live.seen, reads.erc20, read),
    notes: [...live.notes, ...read.notes],
    failure: live.failure ?? statusFailure(read.balances.keys(), read.failures, call.app.interrupt),
  };
}

async function joinStatuses(call: Call, session: Session, seen: Seen, statusReads: StatusReads): Promise<Joined> {
  const { values, whyNone } = await readShownValues(call, session, seen, { statusReads });
  if (!values) return { seen, notes: [{ note: whyNone }] };
  const ids = [...values.statuses.keys(), ...values.failures.keys()];
  const { interrupt } = call.app;
  const failure = statusFailure(ids, values.failures, interrupt);
  const lasting = statusReadsRunway(call.output) ? await loadRunways(call, session, seen, values) : undefined;
  const shown = await statusWithValues(call, seen, values, lasting?.runways);
  const spent = await loadSpends(call, session, shown);
  return {
    seen: { ...shown, ...(spent && { spends: spent.spends }) },
    notes: [...unreadStatusNotes(call, values), ...(lasting?.notes ?? []), ...(spent?.notes ?? [])],
    failure:
      failure ?? statusFailure(ids, new Map([...(lasting?.failures ?? []), ...(spent?.failures ?? [])]), interrupt),
  };
}

/** Returns notes where no table shows what could not be read. */
export function unreadStatusNotes(call: Call, values: LiveValues): { note: string }[] {
  return values.hasNoRoute || !isStatusShown(call) ? unknownLiveNotes(values) : [];
}

async function loadRunways(call: Call, session: Session, { found }: Seen, values: LiveValues) {
  const { readMonitorRunways } = await import("../monitor/create-monitor.ts");
  const relayers = found.map(({ relayer }) => relayer);
  const memory = { samples: new Map(), looked: new Set<string>() };
  return await readMonitorRunways(call, session, relayers, { values, memory });
}

export async function loadSpends(call: Call, session: Session, { found }: Pick<Seen, "found">) {
  const windows = statusReadsSpends(call.output);
  if (windows.length === 0) return undefined;
  const { readMonitorSpends } = await import("../monitor/spends.ts");
  const relayers = found.map(({ relayer }) => relayer);
  return await readMonitorSpends(call, session, relayers, windows);
}
