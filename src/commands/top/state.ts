import { currencyOf, formatAmount, wireAmount } from "../../contract/amount.ts";
import { type JsonObject, type JsonValue, textIn } from "../../contract/json.ts";
import { networkKind } from "../../contract/network-kind.ts";
import { receivedTime } from "../../contract/reply/received-time.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { isFinal, isPending, type Transaction, txStatus } from "../../contract/transaction/transaction.ts";
import { RelayctlError } from "../../errors.ts";
import { type Message, messageText } from "../../message.ts";
import type { RelayerStatus } from "../../relayer-state/health.ts";
import { relayerState, stateRank } from "../../relayer-state/state.ts";
import type { Session } from "../../session/session.ts";
import { parseCondition, parseSort } from "../../terminal/select/condition.ts";
import type { DerivedField, ResourceView } from "../../terminal/view.ts";
import { STATUS_TIMEOUT } from "../../timing.ts";
import { derivedStatusFields, type Seen, statusViewWithoutSpends } from "../../views/relayer-status/table.ts";
import type { Call } from "../command.ts";

export type Newest = Awaited<ReturnType<typeof readTopNewest>>;

const PAGE = 100;

export async function readTopNewest(session: Session, relayerId: string) {
  const client = session.inBulk({ retries: 0 });
  for await (const { items, total = items.length } of client.tx.list(relayerId, { page: 1, perPage: PAGE }))
    return { items, isAll: items.length < PAGE && total <= items.length };
  return { items: [], isAll: true };
}

const HOUR = 3_600_000;
const PARTS = 8;

export function topHourCount({ items }: Newest, now: number): number[] {
  const counts = Array.from({ length: PARTS }, () => 0);
  for (const { created_at } of items) {
    const part = Math.floor(((receivedTime(created_at) - now + HOUR) * PARTS) / HOUR);
    if (part >= 0 && part < PARTS) counts[part] = (counts[part] ?? 0) + 1;
  }
  return counts;
}

/** Returns when the oldest pending transaction was created; undefined if none is pending, or an older page may have one. */
export function topOldest({ items, isAll }: Newest): string | undefined {
  return isAll ? (items.filter(isPending).at(-1)?.created_at ?? undefined) : undefined;
}

/** Returns a line for each transaction that has ended since it was last seen. */
export function topEndedSince(
  before: ReadonlyMap<string, string> | undefined,
  { items }: Newest,
  { relayer, symbol }: { relayer: Relayer; symbol: string | undefined },
): FleetEvent[] {
  if (!before) return [];
  const ended = items.filter((item) => isFinal(txStatus(item)) && before.get(item.id) !== txStatus(item));
  return [...ended].reverse().map((item) => {
    const value = wireAmount(item.value);
    const amount = value === undefined ? "" : `, ${formatAmount(value, currencyOf(networkKind(relayer), symbol))}`;
    const nonce = wireAmount(item.nonce as JsonValue);
    const name = nonce === undefined ? item.id : `nonce ${nonce}`;
    return { id: relayer.id, text: `${name} ${txStatus(item)}${amount}` };
  });
}

export function topQueueFirst({ items }: Newest): Transaction[] {
  return [...items.filter(isPending).reverse(), ...items.filter((item) => !isPending(item))];
}

export interface FleetEvent {
  /** The relayer's ID; absent for an event of the connection. */
  id?: string;
  text: string;
}

export interface FleetReading {
  call: Call;
  session: Session;
  ids: readonly string[] | undefined;
  /** Milliseconds between two reads of the list. */
  every: number;
  inView(): readonly string[];
  /** Called with everything known after each read, and the events since the previous one. */
  read(source: Source, events: readonly FleetEvent[]): void;
  noted(text: string): void;
  /** Resolves when the screen is shown: nothing is read while a command has the terminal. */
  whenShown(): Promise<void>;
  ended: AbortSignal;
}

export function quietTopReading(reading: FleetReading): FleetReading {
  const { call, session, noted } = reading;
  const client = session.briefly(STATUS_TIMEOUT, {
    report(event) {
      if (event.type === "note") noted(event.text);
    },
  });
  const say = async (line: Message) => noted(messageText(line));
  const quiet = { ...session, client, say, inBulk: () => client };
  return { ...reading, session: quiet, call: { ...call, say, session: async () => quiet } };
}

function combinedView({ sources }: TopState): ResourceView {
  const derivedBy = new Map(sources.map(({ name, seen }) => [name, derivedStatusFields(seen)]));
  const fields = Object.entries(statusViewWithoutSpends.derived ?? {}).map(([key, field]): [string, DerivedField] => [
    key,
    {
      ...field,
      value: (item, now) => derivedBy.get(topRow(item).context)?.[key]?.value(topRow(item), now) ?? null,
    },
  ]);
  return { ...(statusViewWithoutSpends as unknown as ResourceView), derived: Object.fromEntries(fields) };
}

const CONDITION = /^\s*!|[=<>~]/;

/** Compiles a filter: words match IDs, names, networks, and states, and anything else is a condition. */
function compileFilter(state: TopState, throws: boolean): (row: TopRow) => boolean {
  const typed = state.filter.trim();
  if (typed === "") return () => true;
  if (!CONDITION.test(typed)) {
    const words = typed.toLowerCase().split(/\s+/);
    return ({ context, relayer }) => {
      const { id, name, network } = relayer;
      const jam = topSource(state, context)?.jams.get(id);
      const text = [id, textIn(name), textIn(network), context, relayerState(relayer), jam].join(" ").toLowerCase();
      return words.every((word) => text.includes(word));
    };
  }
  return parseCondition(typed, combinedView(state), state.now, "filter", throws) as (row: TopRow) => boolean;
}

export function topFilterProblem(state: TopState, filter: string): string | undefined {
  try {
    chosenTopRows({ ...state, filter }, true);
    return undefined;
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    return error.details[0]?.rule ?? error.message;
  }
}

/** Returns the relayers that `--where` selects. */
export function selectedTopRows(state: TopState): readonly TopRow[] {
  const all = state.sources.flatMap(({ name, seen }) => seen.found.map((status) => ({ ...status, context: name })));
  const view = combinedView(state);
  const where = state.where.map((text) => parseCondition(text, view, state.now));
  return all.filter((row) => where.every((holds) => holds(row)));
}

export function chosenTopRows(state: TopState, throws = false): readonly TopRow[] {
  const rows = selectedTopRows(state).filter(compileFilter(state, throws));
  const field = state.sorts[state.sort];
  if (field !== undefined) return parseSort(field, combinedView(state), state.now)(rows) as TopRow[];
  return rows.sort((one, other) => rankBadness(state, other) - rankBadness(state, one));
}

function rankBadness(state: TopState, { context, relayer }: TopRow): number {
  const isJammed = relayerState(relayer) === "active" && topSource(state, context)?.jams.has(relayer.id);
  return (isJammed ? 0.5 : 0) - stateRank(relayer);
}

export interface Layout {
  /** The rows of the list, or of the open page. */
  room: number;
  /** Without the empty row above. */
  log: number;
}

/** Rows for the header, the titles, and the keys. */
const FRAME = 3;
/** The range of event rows next to a list that doesn't fit. */
const [LEAST_LOG, MOST_LOG] = [3, 8];

/** Returns how many rows each part has. A page takes the events' rows as well. */
export function topLayout(state: TopState): Layout {
  const { rows, pages, events } = state;
  const all = Math.max(0, rows - FRAME);
  if (pages.length > 0) return { room: all, log: 0 };
  const free = all - selectedTopRows(state).length - 1;
  const wanted = Math.min(events.length, MOST_LOG);
  const log = Math.min(wanted, free >= LEAST_LOG ? free : Math.max(0, Math.min(LEAST_LOG, Math.floor(all / 3) - 1)));
  return { room: log > 0 ? all - log - 1 : all, log };
}

/** What is known of a context's relayers. Each read replaces its part as a whole. */
export interface Source {
  name: string;
  flags: readonly string[];
  isProtected: boolean;
  seen: Seen;
  /** By relayer: the last hour's transactions in eight parts, oldest first. */
  hours: ReadonlyMap<string, readonly number[]>;
  /** By relayer: what holds up its queue, in a few words. */
  jams: ReadonlyMap<string, string>;
  /** By network, in wei per gas, oldest first. */
  fees: ReadonlyMap<string, readonly bigint[]>;
  /** When the list was last read; 0 for never. */
  readAt: number;
  /** Why reads fail, and since when. */
  trouble?: { message: string; since: number } | undefined;
  /** The milliseconds between reads of a service that limits the rate. */
  slower?: number | undefined;
}

export interface TopRow extends RelayerStatus {
  context: string;
}

export interface TopTarget {
  context: string;
  relayerId: string;
  transactionId?: string | undefined;
}

interface RelayerPage {
  kind: "relayer";
  target: TopTarget;
  /** The pending transactions by nonce, then the others, newest first; undefined until they are read. */
  transactions?: readonly Transaction[];
  details?: readonly string[];
  selected?: string | undefined;
}

interface TransactionPage {
  kind: "transaction";
  offset: number;
  target: TopTarget;
  lines?: readonly string[];
}

export type TopPage = RelayerPage | TransactionPage | { kind: "keys" };

export interface TopState {
  columns: number;
  rows: number;
  now: number;
  sources: readonly Source[];
  /** The sortable fields, and the current one's position. */
  sorts: readonly (string | undefined)[];
  sort: number;
  selected?: { context: string; id: string } | undefined;
  filter: string;
  /** The conditions of `--where` on values that are read after the list. */
  where: readonly string[];
  /** The filter while it is typed, and its problem. */
  typing?: { text: string; problem?: string | undefined } | undefined;
  /** A question, and the command that runs after `y`, which counts once the question is shown. */
  asking?: { question: string; argv: readonly string[]; isShown?: boolean } | undefined;
  /** Shown once, in place of the keys. */
  message?: string | undefined;
  pages: readonly TopPage[];
  events: readonly { time: number; text: string }[];
}

export type TopEvent = { now: number } & (
  | { type: "key"; key: string }
  | { type: "resize"; columns: number; rows: number }
  | { type: "painted"; asking: TopState["asking"] }
  | { type: "read"; source: Source; events: readonly FleetEvent[] }
  | { type: "transactions"; target: TopTarget; transactions: readonly Transaction[] }
  | { type: "details"; target: TopTarget; lines: readonly string[] }
  | { type: "lines"; target: TopTarget; lines: readonly string[] }
  | { type: "said"; text: string }
);

type Untimed<T> = T extends { now: number } ? Omit<T, "now"> : never;

export type Dispatch = (event: Untimed<TopEvent>) => void;

export type TopEffect =
  | { kind: "quit" }
  | { kind: "run"; argv: readonly string[] }
  | { kind: "open"; page: RelayerPage | TransactionPage };

export function topSource(state: TopState, context: string): Source | undefined {
  return state.sources.find(({ name }) => name === context);
}

export function seenTopRelayer(state: TopState, { context, relayerId }: TopTarget) {
  const { seen } = topSource(state, context) ?? {};
  const relayer = seen?.found.find((status) => status.relayer.id === relayerId)?.relayer;
  return { relayer, symbol: seen?.symbols?.get(String(relayer?.network)) };
}

export function isSameTopTarget(one: TopTarget, other: TopTarget): boolean {
  return (
    one.context === other.context && one.relayerId === other.relayerId && one.transactionId === other.transactionId
  );
}

export function topRow(item: JsonObject): TopRow {
  return item as TopRow;
}
