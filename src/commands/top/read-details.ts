import { readFeeHistory } from "../../chain/evm/fee-history.ts";
import { runAll } from "../../client/bulk/run-all.ts";
import { LARGE_PAGE } from "../../client/pagination/list-pages.ts";
import { coinSymbolsFor } from "../../coins/coin-symbol.ts";
import { secondsSince } from "../../contract/age-text.ts";
import { isPositive, wireAmount } from "../../contract/amount.ts";
import type { JsonObject, JsonValue } from "../../contract/json.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { txStatus } from "../../contract/transaction/transaction.ts";
import { ifReadable, type RelayctlError } from "../../errors.ts";
import { type RelayerStatus, readStatuses, refuseMissing } from "../../relayer-state/health.ts";
import { readStatusRoutes } from "../../relayer-state/read-status-routes.ts";
import { relayerState, stateCell, stateRank } from "../../relayer-state/state.ts";
import type { Session } from "../../session/session.ts";
import { createStopwatch } from "../../session/stopwatch.ts";
import { LONGEST_WATCH_PAUSE, REQUEST_SPACING, SLOWER_WATCH, STATUS_TIMEOUT } from "../../timing.ts";
import type { Runways, Seen } from "../../views/relayer-status/table.ts";
import { noLiveValues, readLiveValues } from "../relayers/live/values.ts";
import { askNodes } from "../relayers/monitor/ask-nodes.ts";
import { type Memory, readMonitorRunways } from "../relayers/monitor/create-monitor.ts";
import { readShown } from "../relayers/status/shown-values.ts";
import { MOST_READ, readsStatus } from "../relayers/status/status-reads.ts";
import { diagnoseStuckRelayer } from "../tx/stuck/list-stuck.ts";
import { watchedChanges, watchedItem } from "../watch/watched.ts";
import {
  type FleetEvent,
  type FleetReading,
  quietTopReading,
  readTopNewest,
  type Source,
  topEndedSince,
  topHourCount,
  topOldest,
} from "./state.ts";

const BATCH = 4;
const LOOK_AGAIN = 500;
/** Seconds of pending after which a queue is diagnosed. */
const LONG_PENDING = 15 * 60;
/** The most requests of a diagnosis, and of a relayer's older balances. */
const [DIAGNOSIS, PAST] = [12, 8];
const MOST_FEES = 12;

interface Known {
  statuses: Map<string, JsonObject>;
  unknown: Map<string, RelayctlError>;
  oldest: Map<string, JsonValue>;
  runways: Map<string, { seconds: number; text: string }>;
  symbols: Map<string, string | undefined>;
  /** The next reads of relayers and base fees, by `elapsed`. */
  due: Map<string, number>;
  dueFees: Map<string, number>;
  before: Map<string, ReadonlyMap<string, string>>;
  memory: Memory;
}

/** Reads values that take requests per relayer, first for the relayers in view. */
function createDetails(
  reading: FleetReading,
  current: () => Source,
  { update, refused }: { update(part: Partial<Source>, events?: readonly FleetEvent[]): void; refused(): void },
) {
  const known: Known = {
    ...{ statuses: new Map(), unknown: new Map(), oldest: new Map(), runways: new Map(), symbols: new Map() },
    ...{ due: new Map(), dueFees: new Map(), before: new Map(), memory: { samples: new Map(), looked: new Set() } },
  };
  const { clock } = reading.call.app;
  const every = Math.max(reading.every, SLOWER_WATCH);
  const withKnown = (seen: Seen): Seen => ({
    ...seen,
    found: seen.found.map((each) => ({ ...each, status: known.statuses.get(each.relayer.id) ?? null })),
    ...{ unknown: known.unknown, oldest: known.oldest, runways: known.runways as Runways, symbols: known.symbols },
    now: clock.now(),
  });
  const readSome = async (relayers: readonly Relayer[]) => {
    for (const { id } of relayers) known.due.set(id, clock.elapsed() + every);
    const { requests, hours, jams, events } = await readBatch(reading, known, current(), relayers);
    update({ hours, jams, seen: withKnown(current().seen) }, events);
    if (relayers.some(({ id }) => known.unknown.get(id)?.failure === "rate_limited")) refused();
    return requests;
  };
  const readOnce = async (): Promise<number> => {
    const { seen } = current();
    const { inView, others } = splitByView(reading, seen);
    forgetUnseen(known, seen, inView);
    const network = await readFee(reading, known, inView, every);
    if (network) update({ fees: withSample(current().fees, network) });
    const due = [...inView, ...others].filter(({ id }) => (known.due.get(id) ?? 0) <= clock.elapsed());
    return (network ? 1 : 0) + (due.length === 0 ? 0 : await readSome(due.slice(0, BATCH)));
  };
  return {
    withKnown,
    async run() {
      while (!reading.ended.aborted) {
        await reading.whenShown();
        const requests = current().trouble ? 0 : await readOnce();
        await clock.sleep(Math.max(LOOK_AGAIN, requests * REQUEST_SPACING, current().slower ?? 0), reading.ended);
      }
    },
  };
}

/** Drops removed relayers, so that memory doesn't grow with time. */
function forgetUnseen(known: Known, { found }: Seen, inView: readonly Relayer[]): void {
  const listed = new Set(found.map(({ relayer }) => relayer.id));
  const { statuses, unknown, oldest, runways, due, memory, before } = known;
  for (const kept of [statuses, unknown, oldest, runways, due, memory.samples, memory.looked])
    for (const id of kept.keys()) if (!listed.has(id)) kept.delete(id);
  for (const id of before.keys()) if (!inView.some((relayer) => relayer.id === id)) before.delete(id);
}

/** Returns the relayers in view, and others to read: of a large fleet only if that decides which of them are shown. */
function splitByView({ call: { output }, inView: idsInView }: FleetReading, { found }: Seen) {
  const view = new Set(idsInView());
  const relayers = found.map(({ relayer }) => relayer);
  const inView = relayers.filter(({ id }) => view.has(id));
  const readsAll = relayers.length <= MOST_READ || output.where?.some(readsStatus);
  return { inView, others: readsAll ? relayers.filter(({ id }) => !view.has(id)) : [] };
}

interface Batch {
  requests: number;
  hours: Map<string, readonly number[]>;
  jams: Map<string, string>;
  events: FleetEvent[];
}

async function readBatch(reading: FleetReading, known: Known, { hours, jams }: Source, relayers: readonly Relayer[]) {
  const { call, session } = reading;
  const { clock, interrupt } = call.app;
  const ids = relayers.map(({ id }) => id);
  const { remaining = () => 0 } = createStopwatch(clock, STATUS_TIMEOUT);
  const { statuses, unknown } = await readStatusRoutes(session, { ids, remaining, atOnce: BATCH });
  for (const id of ids) known.unknown.delete(id);
  for (const [id, status] of statuses) known.statuses.set(id, status);
  for (const [id, error] of unknown) known.unknown.set(id, error);
  if (relayers.some(({ id }) => isPositive(known.statuses.get(id)?.balance)))
    for (const [network, symbol] of await coinSymbolsFor(session, relayers)) known.symbols.set(network, symbol);
  const isKept = ([id]: readonly [string, unknown]) => known.due.has(id);
  const batch = {
    requests: ids.length,
    ...{ hours: new Map([...hours].filter(isKept)), jams: new Map([...jams].filter(isKept)), events: [] },
  };
  const jobs = relayers.map((relayer) => ({
    id: relayer.id,
    run: () => readTransactions(reading, known, relayer, batch),
  }));
  await runAll(jobs, { concurrency: BATCH, interrupt }).done;
  batch.requests += await readLasting(reading, known, relayers);
  return batch;
}

async function readTransactions({ call, session, inView }: FleetReading, known: Known, relayer: Relayer, batch: Batch) {
  const { id, network, network_type: kind } = relayer;
  batch.requests++;
  const newest = await readTopNewest(session, id);
  const now = call.app.clock.now();
  batch.hours.set(id, topHourCount(newest, now));
  const symbol = known.symbols.get(network ?? "");
  batch.events.push(...topEndedSince(known.before.get(id), newest, { relayer, symbol }));
  if (inView().includes(id)) known.before.set(id, new Map(newest.items.map((item) => [item.id, txStatus(item)])));
  const isIdle = newest.isAll || wireAmount(known.statuses.get(id)?.pending_transactions_count) === 0n;
  const oldest = topOldest(newest);
  known.oldest.set(id, oldest ?? (isIdle ? null : await loadOldest({ call, session }, id, batch)));
  batch.jams.delete(id);
  const age = secondsSince(known.oldest.get(id), now) ?? 0;
  if (age < LONG_PENDING || kind !== "evm" || relayerState(relayer) !== "active") return;
  batch.requests += DIAGNOSIS;
  const { diagnosis } = await diagnoseStuckRelayer({ session, relayerId: id, now }, async (isWanted) =>
    newest.items.filter(isWanted).reverse(),
  );
  const nonce = diagnosis.head?.nonce;
  if (diagnosis.isStuck) batch.jams.set(id, nonce === undefined ? "jammed" : `jammed at ${nonce}`);
}

async function loadOldest({ call, session }: Pick<FleetReading, "call" | "session">, id: string, batch: Batch) {
  batch.requests += 3;
  const { oldest } = await readLiveValues(call, session, [id], { status: false, oldest: true, atOnce: 1 });
  return oldest.get(id) ?? null;
}

/** Reads how long balances last: the older balances of each relayer once. @returns the number of requests */
async function readLasting(
  { call, session }: Pick<FleetReading, "call" | "session">,
  { statuses, memory, runways }: Known,
  relayers: readonly Relayer[],
): Promise<number> {
  const isNew = relayers.some(({ id }) => !memory.samples.has(id));
  const isOwn = ([id]: readonly [string, JsonObject]) => relayers.some((relayer) => relayer.id === id);
  const values = { ...noLiveValues(), statuses: new Map([...statuses].filter(isOwn)) };
  const output = isNew ? { fields: "runway" } : {};
  const lasting = await readMonitorRunways({ ...call, output }, session, relayers, { values, memory });
  for (const [id, runway] of lasting.runways) runways.set(id, runway);
  return isNew ? relayers.length * PAST : 0;
}

async function readFee({ call, session }: FleetReading, { dueFees }: Known, inView: readonly Relayer[], every: number) {
  const { clock } = call.app;
  const relayer = inView.find(
    ({ network, network_type: kind, ...rest }) =>
      kind === "evm" &&
      typeof network === "string" &&
      relayerState({ ...rest, network } as Relayer) === "active" &&
      (dueFees.get(network) ?? 0) <= clock.elapsed(),
  );
  if (!relayer || typeof relayer.network !== "string") return undefined;
  const { network } = relayer;
  dueFees.set(network, clock.elapsed() + every);
  let fee: bigint | undefined;
  await askNodes(call, session, [relayer], async ({ node }) => {
    const history = await readFeeHistory(node);
    if ("fault" in history) return history.fault;
    fee = history.value.baseFee;
    return undefined;
  });
  return fee === undefined ? undefined : { network, fee };
}

function withSample(fees: Source["fees"], { network, fee }: { network: string; fee: bigint }) {
  return new Map([...fees, [network, [...(fees.get(network) ?? []), fee].slice(-MOST_FEES)]]);
}

export type FleetReader = ReturnType<typeof createTopReader>;

export function createTopReader(given: FleetReading) {
  const { clock } = given.call.app;
  let source = emptyTopSource(given.session);
  const update = (part: Partial<Source>, events: readonly FleetEvent[] = []) => {
    source = { ...source, ...part };
    given.read(source, events);
  };
  let slowdown = 1;
  let isRefused = false;
  const pauseFor = (requests: number) =>
    Math.min(Math.max(given.every, requests * REQUEST_SPACING) * slowdown, Math.max(given.every, LONGEST_WATCH_PAUSE));
  const refused = () => {
    if (!isRefused) slowdown = Math.min(2 * slowdown, LONGEST_WATCH_PAUSE / given.every);
    isRefused = true;
    update({ slower: pauseFor(1) });
  };
  const reading = quietTopReading(given);
  const details = createDetails(reading, () => source, { update, refused });
  const readList = async () => {
    isRefused = false;
    const read = await readStatuses(reading.session, reading.ids);
    const listed = details.withKnown({ ...read, found: await readShown(reading.call, read.found) });
    const events = source.readAt === 0 ? [] : listEvents(source.seen, listed);
    if (!isRefused) slowdown = Math.max(1, slowdown / 2);
    const slower = slowdown > 1 ? pauseFor(1) : undefined;
    const again = source.trouble ? [{ text: "the service is responding again" }] : [];
    update({ seen: listed, readAt: clock.now(), trouble: undefined, slower }, [...again, ...events]);
    return Math.ceil(listed.found.length / LARGE_PAGE) || 1;
  };
  const failed = (error: RelayctlError) => {
    if (error.failure === "rate_limited") refused();
    const since = source.trouble?.since ?? clock.now();
    const events = source.trouble ? [] : [{ text: `no response: ${error.message}` }];
    update({ trouble: { message: error.message, since } }, events);
  };
  const readOn = async () => {
    let requests = 1;
    while (!reading.ended.aborted) {
      await clock.sleep(pauseFor(requests), reading.ended);
      await reading.whenShown();
      if (reading.ended.aborted) return;
      requests = (await ifReadable(readList(), undefined, failed)) ?? 1;
    }
  };
  return {
    async first() {
      await readList();
      refuseMissing({ missing: source.seen.missing }, given.session);
    },
    run: async () => void (await Promise.all([readOn(), details.run()])),
  };
}

export function emptyTopSource({ name, flags, protected: isProtected }: Session): Source {
  const seen = { found: [], missing: [], body: new Uint8Array() };
  return { name, flags, isProtected, seen, hours: new Map(), jams: new Map(), fees: new Map(), readAt: 0 };
}

function listEvents(before: Seen, now: Seen): FleetEvent[] {
  const compared = ({ relayer, health }: RelayerStatus) => [health, stateRank(relayer)];
  const [old, found] = [before, now].map((seen) => seen.found.map((status) => watchedItem(status, { compared })));
  const changes = watchedChanges(old, found ?? [], { idOf: ({ relayer }) => relayer.id });
  return changes.map(({ event, item: { relayer }, before: was }) => {
    const { id } = relayer;
    const state = stateCell(relayer).text;
    if (event === "changed" && was) return { id, text: `${stateCell(was.relayer).text} → ${state}` };
    return { id, text: event === "removed" ? "removed" : `added, ${state}` };
  });
}
