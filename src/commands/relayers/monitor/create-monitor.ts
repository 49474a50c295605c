import { SPEND_FIELDS, type SpendWindow } from "../../../audit/spend-windows.ts";
import { readNonce } from "../../../chain/evm/read-evm.ts";
import { readNetworkFacts } from "../../../chain/network.ts";
import { readLateNodeReason } from "../../../chain/node/late-node.ts";
import { nodeFault } from "../../../chain/node/node.ts";
import { readPastBalances } from "../../../chain/runway/past-balances.ts";
import {
  type BalanceSample,
  keptRunwaySamples,
  type Runway,
  runwayLastsText,
  runwayOf,
  runwayText,
} from "../../../chain/runway/runway.ts";
import { coinSymbolsFor } from "../../../coins/coin-symbol.ts";
import { secondsSince } from "../../../contract/age-text.ts";
import { currencyOf, formatAmount, wireAmount } from "../../../contract/amount.ts";
import { groupDigits } from "../../../contract/decimal.ts";
import { erc20In, erc20Text } from "../../../contract/erc20.ts";
import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import { isNetworkKind } from "../../../contract/network-kind.ts";
import { relayerPolicies } from "../../../contract/policy.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { Problem } from "../../../errors.ts";
import {
  healthCounts,
  healthFailure,
  missingRelayersError,
  readStatuses,
  refuseMissing,
} from "../../../relayer-state/health.ts";
import { statusFailure } from "../../../relayer-state/read-status-routes.ts";
import { relayerState } from "../../../relayer-state/state.ts";
import type { Session } from "../../../session/session.ts";
import { readSelection } from "../../../terminal/select/selection.ts";
import { durationText } from "../../../terminal/text/duration.ts";
import type { View } from "../../../terminal/view.ts";
import {
  type Measured,
  type Measurement,
  type Runways,
  statusList,
  statusView,
} from "../../../views/relayer-status/table.ts";
import type { Threshold } from "../../../views/relayer-status/thresholds.ts";
import type { Call } from "../../command.ts";
import { type LiveValues, readLiveValues, unknownLiveNotes } from "../live/values.ts";
import { type Erc20Use, statusWithErc20 } from "../status/erc20-use.ts";
import { statusWithValues } from "../status/shown-values.ts";
import { statusReadsRunway, statusReadsSpends } from "../status/status-reads.ts";
import { type AskedRelayer, askNodes } from "./ask-nodes.ts";
import { readMonitorSpends } from "./spends.ts";

export interface MonitorReads {
  windows: readonly SpendWindow[];
  erc20: Erc20Use | undefined;
  /** Whether a missing relayer is a failure among others, not the end. */
  mayMiss?: boolean;
}

export function createMonitor(
  call: Call,
  session: Session,
  ids: readonly string[] | undefined,
  { windows, erc20, mayMiss = false }: MonitorReads,
): () => Promise<Measured> {
  const memory: Memory = { samples: new Map(), looked: new Set() };
  return async () => {
    const seen = await readStatuses(session, ids);
    if (!mayMiss) refuseMissing(seen, session);
    const missed = seen.missing.map((id) => [id, missingRelayersError([id], session)] as const);
    const { where } = await readSelection({ where: call.output.where, now: call.app.clock.now() }, statusView);
    const shown = seen.found.filter((status) => where.every((holds) => holds(status)));
    const relayers = shown.map(({ relayer }) => relayer);
    const names = relayers.map(({ id }) => id);
    const values = await readLiveValues(call, session, names, { status: true, oldest: true });
    const symbols = await coinSymbolsFor(session, relayers);
    const { nonces: chain, failures: silent } = await readChains(call, session, relayers, values, memory);
    const { spends, failures: unspent } = await readMonitorSpends(call, session, relayers, windows);
    const tokens = erc20 && (await (await import("./erc20.ts")).readMonitorErc20(call, session, relayers, erc20.names));
    const measured = relayers.map((relayer) => ({
      ...measure(relayer, { values, symbols, chain, memory }, call.app.clock.now()),
      spends: spends.get(relayer.id),
      erc20: tokens?.balances.get(relayer.id) ?? [],
    }));
    const runways = runwaysIn(measured.map(({ id, runway }) => [id, runway]));
    const joined = { ...(await statusWithValues(call, seen, values, runways)), spends };
    return {
      relayers: measured,
      seen: tokens ? statusWithErc20(joined, erc20, tokens) : joined,
      shown,
      notes: [...unknownLiveNotes(values), ...(tokens?.notes ?? [])],
      failures: new Map([...(tokens?.failures ?? []), ...unspent, ...silent, ...values.failures, ...missed]),
    };
  };
}

async function readChains(
  call: Call,
  session: Session,
  relayers: readonly Relayer[],
  values: LiveValues,
  memory: Memory,
): Promise<{ nonces: ReadonlyMap<string, bigint>; failures: Measured["failures"] }> {
  const nonces = new Map<string, bigint>();
  addBalances(memory, values.statuses, call.app.clock.now());
  const failures = await askNodes(call, session, relayers, async (asked) => {
    const nonce = await readNonce(asked.node, asked.account, "latest");
    if ("fault" in nonce) return nonce.fault;
    const { client, node, now, relayer } = asked;
    const assigned = wireAmount(values.statuses.get(relayer.id)?.nonce) ?? 0n;
    // On a node that lags, every nonce of the last minutes would count as drift.
    const delay =
      assigned > nonce.value
        ? await readLateNodeReason(node, await readNetworkFacts(client.networks, relayer.network), now)
        : undefined;
    if (delay !== undefined) return nodeFault(delay).fault;
    nonces.set(relayer.id, nonce.value);
    return await addPast(memory, asked);
  });
  return { nonces, failures };
}

function runwaysIn(found: readonly (readonly [id: string, runway: Runway | undefined])[]): Runways {
  return new Map(
    found.flatMap(([id, runway]) =>
      runway?.seconds === undefined
        ? []
        : [[id, { seconds: Number(runway.seconds), text: runwayLastsText(runway.seconds) }] as const],
    ),
  );
}

interface Known {
  values: LiveValues;
  symbols: ReadonlyMap<string, string | undefined>;
  chain: ReadonlyMap<string, bigint>;
  memory: Memory;
}

function measure(relayer: Relayer, { values, symbols, chain, memory }: Known, now: number): Measurement {
  const { id, network_type: kind } = relayer;
  const network = typeof relayer.network === "string" ? relayer.network : "";
  const status = values.statuses.get(id);
  const [nonce, next] = [wireAmount(status?.nonce), chain.get(id)];
  const balance = wireAmount(status?.balance);
  return {
    id,
    network,
    state: relayerState(relayer),
    isPaused: relayer.paused === true,
    coin: isNetworkKind(kind) ? currencyOf(kind, symbols.get(network)) : undefined,
    balance,
    minBalance: wireAmount(relayerPolicies(relayer).min_balance),
    runway: balance === undefined ? undefined : runwayOf(memory.samples.get(id) ?? []),
    drift: nonce === undefined || next === undefined ? undefined : nonce - next,
    pending: wireAmount(status?.pending_transactions_count),
    oldest: oldestAge(values.oldest.get(id), now),
  };
}

function oldestAge(created: JsonValue | undefined, now: number): number | undefined {
  if (created === undefined) return undefined;
  return created === null ? 0 : (secondsSince(created, now) ?? undefined);
}

export interface Memory {
  samples: Map<string, BalanceSample[]>;
  looked: Set<string>;
}

function addBalances({ samples }: Memory, statuses: ReadonlyMap<string, JsonObject>, now: number): void {
  for (const [id, status] of statuses) {
    const balance = wireAmount(status.balance);
    if (balance !== undefined) samples.set(id, keptRunwaySamples(samples.get(id) ?? [], { time: now, balance }));
  }
}

async function addPast(
  { samples, looked }: Memory,
  { relayer: { id, network }, account, node, client, now }: AskedRelayer,
): Promise<undefined> {
  if (looked.has(id)) return;
  const { blockTime } = await readNetworkFacts(client.networks, network);
  const past = await readPastBalances(node, { address: account, blockTime, now });
  if (past.length > 0) looked.add(id);
  samples.set(id, [...past, ...(samples.get(id) ?? [])]);
}

/** Returns how long balances last. Older balances are only read if the output selects by it. */
export async function readMonitorRunways(
  call: Call,
  session: Session,
  relayers: readonly Relayer[],
  { values: { statuses }, memory }: { values: LiveValues; memory: Memory },
) {
  addBalances(memory, statuses, call.app.clock.now());
  const known = statusReadsRunway(call.output) ? relayers.filter(({ id }) => statuses.has(id)) : [];
  const failures = await askNodes(call, session, known, (asked) => addPast(memory, asked));
  const found = [...statuses.keys()].map((id) => [id, runwayOf(memory.samples.get(id) ?? [])] as const);
  const notes = [...failures].map(([id, { message }]) => ({ note: `the runway of ${id} is not known: ${message}` }));
  return { runways: runwaysIn(found), failures, notes };
}

type Erc20Read = Pick<MonitorReads, "erc20">;

export async function checkMonitorThresholds(
  call: Call,
  session: Session,
  { ids, thresholds, erc20 }: { ids: readonly string[] | undefined; thresholds: readonly Threshold[] } & Erc20Read,
): Promise<View> {
  const shownSpends = statusReadsSpends(call.output);
  const isRead = (name: SpendWindow) => shownSpends.includes(name) || thresholds.some(({ field }) => field === name);
  const windows = SPEND_FIELDS.filter(isRead);
  const { relayers, seen, shown, notes, failures } = await createMonitor(call, session, ids, { windows, erc20 })();
  const crossed = thresholds.flatMap((threshold) =>
    relayers.filter((relayer) => threshold.isCrossed(relayer) === true).map((relayer) => ({ threshold, relayer })),
  );
  const missed = relayers.flatMap((relayer) => {
    const failure = failures.get(relayer.id);
    const isOpen = thresholds.some(({ isCrossed }) => isCrossed(relayer) === undefined);
    return failure && isOpen ? [[relayer.id, failure] as const] : [];
  });
  const parts = [
    ...healthCounts(shown),
    ...(["critical", "warning"] as const).flatMap((severity) => {
      const count = crossed.filter(({ threshold }) => threshold.severity === severity).length;
      return count === 0 ? [] : `${groupDigits(count)} ${severity}`;
    }),
  ];
  const details = crossed.map(({ threshold: { severity, text, field }, relayer }): Problem => {
    return { where: relayer.id, rule: `${severity}: ${text} (${monitoredText(field, relayer)})` };
  });
  const failure =
    healthFailure(seen.found, shown, parts.join(", "), details) ??
    statusFailure(
      relayers.map(({ id }) => id),
      new Map(missed),
      call.app.interrupt,
    );
  const all = [...notes, ...thresholds.flatMap((threshold) => openNotes(threshold, relayers))];
  return { ...statusList(seen, session, true), ending: async () => ({ notes: all, failure }) };
}

function openNotes({ text, field, isCrossed }: Threshold, relayers: readonly Measurement[]): { note: string }[] {
  const idsWhere = (result: ReturnType<Threshold["isCrossed"]>) =>
    relayers.filter((relayer) => isCrossed(relayer) === result).map(({ id }) => id);
  const [others, unknown] = [idsWhere("other coin"), idsWhere(undefined)];
  const kind = erc20In(field) === undefined ? "coins" : "networks";
  return [
    ...(others.length > 0
      ? [{ note: `${text} does not apply to relayers of other ${kind}: ${others.join(", ")}` }]
      : []),
    ...(unknown.length > 0 ? [{ note: `${text} not checked, the value is not known: ${unknown.join(", ")}` }] : []),
  ];
}

export function monitoredText(field: Threshold["field"], relayer: Measurement): string {
  const { balance, coin, runway, pending, oldest, drift } = relayer;
  switch (field) {
    case "balance":
      return balance !== undefined && coin ? formatAmount(balance, coin) : "";
    case "spend_1h":
    case "spend_1d":
      return coin ? `${formatAmount(relayer.spends?.[field] ?? 0n, coin)} spent` : "";
    case "runway":
      return runway ? runwayText(runway) : "";
    case "pending":
      return `${pending} pending`;
    case "oldest":
      return durationText((oldest ?? 0) * 1_000);
    case "nonce_drift":
      return String(drift);
    default: {
      const token = relayer.erc20?.find(({ name }) => name === erc20In(field));
      return token?.balance === undefined ? "" : erc20Text(token.balance, token.name, token.decimals);
    }
  }
}
