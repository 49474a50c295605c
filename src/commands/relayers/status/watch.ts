import { liveForm } from "../../../command-support/live.ts";
import { type JsonValue, writeJson } from "../../../contract/json.ts";
import { type RelayerStatus, readStatuses, refuseMissing } from "../../../relayer-state/health.ts";
import { stateCell, stateRank } from "../../../relayer-state/state.ts";
import type { Session } from "../../../session/session.ts";
import type { View } from "../../../terminal/view.ts";
import { SLOWER_WATCH } from "../../../timing.ts";
import { type Runways, type Seen, statusList } from "../../../views/relayer-status/table.ts";
import type { Call } from "../../command.ts";
import { runWatch } from "../../watch/run-watch.ts";
import type { SlowerValues, WatchReading } from "../../watch/watched.ts";
import { noLiveValues, WATCH_AT_ONCE } from "../live/values.ts";
import type { Memory } from "../monitor/create-monitor.ts";
import type { ReadErc20 } from "../monitor/erc20.ts";
import { type Erc20Use, statusWithErc20 } from "./erc20-use.ts";
import { loadSpends, unreadStatusNotes } from "./join.ts";
import { readShownValues, statusWithValues } from "./shown-values.ts";
import { type StatusFlags, type StatusReads, statusReadsValues } from "./status-reads.ts";

export interface StatusWatch {
  session: Session;
  ids: readonly string[] | undefined;
  /** Milliseconds between two reads. */
  every: number;
  statusReads: StatusReads;
  erc20: Erc20Use | undefined;
  onChange: readonly string[] | undefined;
}

export async function watchStatus(call: Call<StatusFlags>, watch: StatusWatch): Promise<View> {
  const { session, ids, every, erc20 } = watch;
  let tokens: ReadErc20 | undefined;
  let values = noLiveValues();
  let runways: Runways | undefined;
  let spends: Seen["spends"];
  const memory: Memory = { samples: new Map(), looked: new Set() };
  const { readMonitorRunways } = await import("../monitor/create-monitor.ts");
  let seen: Seen | undefined;
  let listed: Seen = { found: [], missing: [], body: new Uint8Array() };
  const joined = async (): Promise<WatchReading<RelayerStatus>> => {
    const live = { ...(await statusWithValues(call, listed, values, runways)), ...(spends && { spends }) };
    seen = erc20 && tokens ? statusWithErc20(live, erc20, tokens) : live;
    return { items: seen.found, requests: 1 };
  };
  const slower: SlowerValues<RelayerStatus> = {
    every: Math.max(every, SLOWER_WATCH),
    isNeeded: erc20 !== undefined || statusReadsValues(call.output) || liveForm(call) !== "screen",
    async read() {
      const { statusReads } = watch;
      const read = await readShownValues(call, session, listed, { statusReads, atOnce: WATCH_AT_ONCE });
      if (read.values === undefined) return { ...(await joined()), trouble: read.whyNone };
      values = read.values;
      const relayers = listed.found.map(({ relayer }) => relayer);
      const lasting = await readMonitorRunways(call, session, relayers, { values, memory });
      runways = lasting.runways;
      tokens =
        erc20 && (await (await import("../monitor/erc20.ts")).readMonitorErc20(call, session, relayers, erc20.names));
      const spent = await loadSpends(call, session, listed);
      spends = spent?.spends;
      const unread = [unreadStatusNotes(call, values), lasting.notes, spent?.notes ?? [], tokens?.notes ?? []];
      const trouble = unread.flat()[0]?.note;
      const requests = values.requests + relayers.length * (erc20?.names.length ?? 0) + (spent?.requests ?? 0);
      return { ...(await joined()), requests, trouble };
    },
  };
  return await runWatch<RelayerStatus>(call, {
    session,
    every,
    async read() {
      listed = await readStatuses(session, ids);
      if (!seen) refuseMissing(listed, session);
      return await joined();
    },
    onChange: watch.onChange,
    slower: erc20 !== undefined || readsValues(call, watch.statusReads) ? slower : undefined,
    view: (items) => statusList({ ...(seen ?? listed), found: items }, session, true),
    idOf: ({ relayer }) => relayer.id,
    compared: ({ relayer, health }) => [health, relayer.paused ?? false],
    isMoved: (before, now) =>
      haveMoved(before.status, now.status) || writeJson(before.erc20 ?? null) !== writeJson(now.erc20 ?? null),
    stateOf: ({ relayer }) => stateCell(relayer).text,
    rankOf: ({ relayer }) => stateRank(relayer),
    eventOf: (status) => status,
  });
}

/** In a pipe, an event only has the named values: a status costs a node's call. */
function readsValues(call: Call<StatusFlags>, statusReads: StatusReads): boolean {
  return statusReadsValues(call.output) || (statusReads !== "none" && liveForm(call) !== "events");
}

function haveMoved(before: RelayerStatus["status"], now: RelayerStatus["status"]): boolean {
  if (before === null || now === null) return false;
  const shown = ({ balance = null, pending_transactions_count: pending = null }: typeof now): JsonValue => [
    balance,
    pending,
  ];
  return writeJson(shown(before)) !== writeJson(shown(now));
}
