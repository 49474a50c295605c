import { SPEND_FIELDS } from "../../audit/spend-windows.ts";
import { firstPageQuery } from "../../client/pagination/list-pages.ts";
import { readIds } from "../../command-support/ids.ts";
import { isDryRun, showRequests } from "../../command-support/shown.ts";
import { operations } from "../../contract/operations.ts";
import type { Problems } from "../../contract/problems.ts";
import type { RelayctlError } from "../../errors.ts";
import {
  healthCounts,
  healthFailure,
  type RelayerStatus,
  readStatuses,
  refuseMissing,
} from "../../relayer-state/health.ts";
import type { Session } from "../../session/session.ts";
import { readSelection } from "../../terminal/select/selection.ts";
import { type Seen, statusList, statusView, statusViewWithErc20 } from "../../views/relayer-status/table.ts";
import { type Call, createCommand } from "../command.ts";
import { anyRelayersArgument } from "../resource-arguments.ts";
import { watchIntervalFlag, watchProgramFlag } from "../watch/flag.ts";
import type { Listener } from "./monitor/listener.ts";
import type { Erc20Use } from "./status/erc20-use.ts";
import type { Joined, LiveReads } from "./status/join.ts";
import { defineStatusFlags, type StatusFlags, statusReadsOf, validateStatusReads } from "./status/status-reads.ts";

export const relayersStatus = createCommand({
  summary: "Show which relayers are disabled or paused and why, with balances",
  examples: [
    "relayctl relayers status",
    "relayctl relayers status eth-main-1 base-hot --erc20 -o json",
    "relayctl relayers status base-hot --check --warn 'runway<3d' --crit 'balance<0.05eth'",
  ],
  sends: "read",
  ends: {
    unmet: "a relayer is disabled or paused, or crosses a threshold, or there is none (--check)",
    partial: "only a part could be read",
  },
  resource: statusViewWithErc20,
  args: [anyRelayersArgument],
  paginates: true,
  contexts: {},
  define: defineStatusFlags,
  async prepare(call, problems) {
    const clashes = call.flags.check ? ["--check, which checks once"] : [];
    const every = watchIntervalFlag(call, problems, clashes);
    validateStatusReads(call, problems);
    const erc20 = await loadErc20(call, problems);
    const thresholds = await loadThresholds(call, problems, erc20);
    const listener = await listenerFor(call, problems);
    const onChange = await watchProgramFlag(call, problems);
    return { ids: await readIds(call, problems, "id"), every, thresholds, erc20, listener, onChange };
  },
  async run(call, typed) {
    const { ids, every, thresholds, erc20, listener, onChange } = typed;
    const statusReads = statusReadsOf(call, ids);
    if (isDryRun(call)) return await showRequests(call, await readRequests(call, statusReads, ids));
    const session = await call.session();
    if (every !== undefined) {
      const { watchStatus } = await import("./status/watch.ts");
      return await watchStatus(call, { session, ids, every, statusReads, erc20, onChange });
    }
    const windows = call.flags.spend ? SPEND_FIELDS : [];
    if (listener) {
      const { listenForScrapes } = await import("./monitor/listen.ts");
      return await listenForScrapes(call, session, { ids, listener, windows, erc20 });
    }
    if (call.output.format === "prom") {
      const { listenPromView } = await import("./monitor/listen.ts");
      return await listenPromView(call, session, { ids, windows, erc20 });
    }
    if (thresholds.length > 0) {
      const { checkMonitorThresholds } = await import("./monitor/create-monitor.ts");
      return await checkMonitorThresholds(call, session, { ids, thresholds, erc20 });
    }
    const listed = await readStatuses(session, ids);
    refuseMissing(listed, session);
    const { seen, notes, failure: unread } = await joinStatuses(call, session, listed, { statusReads, erc20 });
    const failure = call.flags.check ? await failedCheck(call, seen.found) : unread;
    const isWhole = ids !== undefined || call.flags.all === true || !call.app.stdout.isTerminal || !!call.output.format;
    return { ...statusList(seen, session, isWhole), ending: async () => ({ notes, failure }) };
  },
});

async function failedCheck({ output }: Call, found: readonly RelayerStatus[]): Promise<RelayctlError | undefined> {
  const { where } = await readSelection(output, statusView);
  const shown = found.filter((status) => where.every((holds) => holds(status)));
  return healthFailure(found, shown, healthCounts(shown).join(" and "));
}

async function joinStatuses(call: Call, session: Session, seen: Seen, reads: LiveReads): Promise<Joined> {
  if (reads.statusReads === "none") return { seen, notes: [] };
  const { joinLive } = await import("./status/join.ts");
  return await joinLive(call, session, seen, reads);
}

async function loadErc20(call: Call<StatusFlags>, problems: Problems): Promise<Erc20Use | undefined> {
  const { flags, output } = call;
  const thresholds = [...(flags.warn ?? []), ...(flags.crit ?? [])];
  const { fields = "", where = [], sort = "", query = "" } = output;
  if (!flags.erc20 && ![...thresholds, ...where, fields, sort, query].some((text) => text.includes("erc20"))) return;
  return await (await import("./status/erc20-use.ts")).readErc20Use(call, thresholds, problems);
}

async function readRequests(call: Call, statusReads: LiveReads["statusReads"], ids: readonly string[] | undefined) {
  const named = statusReads === "none" ? [] : (ids ?? []);
  if (statusReads !== "none" && !ids) await call.say({ note: "the status requests that follow depend on this list" });
  return [
    { operation: operations["relayers.list"], query: firstPageQuery({}) },
    ...named.map((id) => ({ operation: operations["relayers.status"], parameters: { relayer_id: id } })),
  ];
}

async function listenerFor(call: Call<StatusFlags>, problems: Problems): Promise<Listener | undefined> {
  const { flags } = call;
  if (flags.listen !== undefined) return await (await import("./monitor/listener.ts")).readListener(call, problems);
  const { listenTokenFile, listenCert, listenKey } = flags;
  const typed = { "--listen-token-file": listenTokenFile, "--listen-cert": listenCert, "--listen-key": listenKey };
  for (const [flag, file] of Object.entries(typed)) if (file !== undefined) problems.add(flag, "needs --listen");
  return undefined;
}

async function loadThresholds(call: Call<StatusFlags>, problems: Problems, erc20: Erc20Use | undefined) {
  const { flags, output } = call;
  const { warn, crit, check, brief, watch } = flags;
  if (output.format === "prom") {
    const { fields, query, sort } = output;
    const typed = { "--check": check, "--brief": brief, "--fields": fields, "--query": query, "--sort": sort };
    for (const [flag, value] of Object.entries(typed))
      if (value !== undefined) problems.add(flag, "cannot be combined with -o prom, whose metrics are fixed");
  }
  if (flags.spend && output.format !== "prom" && flags.listen === undefined)
    problems.add("--spend", "needs -o prom or --listen; --fields spend_1d shows it elsewhere");
  if (!warn && !crit) return [];
  const flag = warn ? "--warn" : "--crit";
  if (!check) problems.add(flag, "needs --check");
  if (brief) problems.add(flag, "cannot be combined with --brief, which reads only the list");
  if (watch !== undefined) return [];
  const { readThresholds } = await import("../../views/relayer-status/thresholds.ts");
  const known = erc20?.decimals;
  return [...readThresholds("--crit", crit, problems, known), ...readThresholds("--warn", warn, problems, known)];
}
