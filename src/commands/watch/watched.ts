import { type JsonObject, type JsonValue, writeJson } from "../../contract/json.ts";
import type { RelayctlError } from "../../errors.ts";
import type { Message } from "../../message.ts";
import type { Session } from "../../session/session.ts";
import { ndjsonLine } from "../../terminal/formats/ndjson.ts";
import { pickFields } from "../../terminal/select/fields.ts";
import { derivedPath, fieldReader } from "../../terminal/select/path.ts";
import { readSelection } from "../../terminal/select/selection.ts";
import type { ListView, ResourceView } from "../../terminal/view.ts";
import type { Call } from "../command.ts";

export interface WatchReading<T extends JsonObject = JsonObject> {
  items: readonly T[];
  /** The number of requests that it took, which bounds the pace. */
  requests: number;
  /** A failed read, e.g. `1 relayer could not be read: r1`. */
  trouble?: string | undefined;
}

export interface Watched<T extends JsonObject = JsonObject> {
  session: Session;
  /** Milliseconds between two reads, as typed. */
  every: number;
  read(): Promise<WatchReading<T>>;
  /** Values that cost more, which are read at a slower pace, next to the list. */
  slower?: SlowerValues<T> | undefined;
  /** Returns the list to draw. @param isMarked whether an item is marked as changed, if any can be */
  view(items: readonly T[], isMarked?: (item: JsonObject) => boolean): ListView;
  idOf(item: T): string;
  nameOf?(item: T): string;
  /** Returns the value that counts for changes, unless fields are named. */
  compared(item: T): JsonValue;
  isMoved?(before: T, now: T): boolean;
  stateOf(item: T): string;
  /** Returns an item's rank on a small screen: the lowest first. */
  rankOf(item: T): number;
  eventOf(item: T): JsonObject;
  /** The program for each change, with its arguments. */
  onChange?: readonly string[] | undefined;
  /** Returns whether an item may leave the list without an event. */
  mayLeave?(item: T): boolean;
}

export interface SlowerValues<T extends JsonObject> {
  /** Milliseconds between two reads. */
  every: number;
  /** Whether the first read waits for them, because fields or conditions name them. */
  isNeeded: boolean;
  read(): Promise<WatchReading<T>>;
}

/** Undefined before the first read. */
interface Seen {
  reading: WatchReading;
  choice: WatchSelection;
  changes: readonly WatchedChange[];
  before: readonly JsonObject[] | undefined;
}

export interface WatchReporter {
  seen(seen: Seen): Promise<void>;
  /** Reports that the service doesn't respond; the watch retries. */
  failed(error: RelayctlError): Promise<void>;
  noted(line: Message): Promise<void>;
  /** Returns the milliseconds until it must be redrawn without a read, if ever. */
  due?(): number | undefined;
  redraw?(): Promise<void>;
  end?(): Promise<void>;
}

/** What `--where`, `--sort`, `--limit`, and `--fields` select of one read. */
export type WatchSelection = Awaited<ReturnType<typeof watchedChoice>>;

/** Returns the choice for a read at the current time, which conditions on ages refer to. */
export async function watchedChoice(call: Call, resource: ResourceView) {
  const now = call.app.clock.now();
  const { where, sort, limit, fields, derive } = await readSelection({ ...call.output, now }, resource);
  const readers = fields
    ?.filter((path) => !derivedPath(resource, path)?.isAge)
    .map((path) => fieldReader(resource, path, now));
  return {
    /** The time of the read, which its events have, e.g. `2026-11-21T03:12:07.000Z`. */
    time: new Date(now).toISOString(),
    isWanted: (item: JsonObject) => where.every((holds) => holds(item)),
    sorted: (items: readonly JsonObject[]) => (sort ? sort(items) : items),
    /** Whether `--sort` decides which rows are the most important. */
    isSorted: sort !== undefined,
    limit,
    /** Returns the value that counts for changes: the named fields, except ages, which always change. */
    ...(readers && { compared: (item: JsonObject): JsonValue => readers.map((read) => read(item) ?? null) }),
    fields,
    derive,
  };
}

/** A change of an item since the last read. `seen` is the first read. */
export interface WatchedChange<T extends JsonObject = JsonObject> {
  event: "seen" | "added" | "changed" | "removed";
  /** After a removal, the last one seen. */
  item: T;
  before?: T;
}

/** An item as it was read: later, the same fields and conditions may refer to other values. */
export interface WatchedItem<T extends JsonObject = JsonObject> {
  item: T;
  compared: string;
  isWanted: boolean;
}

export function watchedItem<T extends JsonObject>(
  item: T,
  { compared, isWanted, fields }: Pick<Watched<T>, "compared"> & Pick<Partial<WatchSelection>, "isWanted" | "fields">,
): WatchedItem<T> {
  const wanted = isWanted?.(item) ?? true;
  return { item, compared: writeJson(fields ? compared(item) : [compared(item), wanted]), isWanted: wanted };
}

/** Returns the changes since a read, or all items at first. An item that no longer matches is reported once more. */
export function watchedChanges<T extends JsonObject>(
  before: readonly WatchedItem<T>[] | undefined,
  now: readonly WatchedItem<T>[],
  { idOf, mayLeave }: Pick<Watched<T>, "idOf" | "mayLeave">,
): WatchedChange<T>[] {
  if (!before) return now.flatMap(({ item, isWanted }) => (isWanted ? { event: "seen", item } : []));
  const old = new Map(before.map((was) => [idOf(was.item), was]));
  const left = new Set(now.map(({ item }) => idOf(item)));
  const changed = now.flatMap(({ item, compared, isWanted }): WatchedChange<T>[] => {
    const was = old.get(idOf(item));
    if (!was) return isWanted ? [{ event: "added", item }] : [];
    const isReported = was.compared !== compared && (was.isWanted || isWanted);
    return isReported ? [{ event: "changed", item, before: was.item }] : [];
  });
  const removed = before.flatMap(({ item, isWanted }): WatchedChange<T>[] =>
    isWanted && !left.has(idOf(item)) && !mayLeave?.(item) ? [{ event: "removed", item }] : [],
  );
  return [...changed, ...removed];
}

/** Returns a change in words: `eth-main-1  active → paused`. */
export function changeText({ event, item, before }: WatchedChange, { idOf, nameOf = idOf, stateOf }: Watched): string {
  const name = nameOf(item);
  const state = stateOf(item);
  if (event === "removed") return `${name}  removed`;
  if (before === undefined) return `${name}  ${event === "added" ? "added, " : ""}${state}`;
  const was = stateOf(before);
  return `${name}  ${was === state ? `changed, ${state}` : `${was} → ${state}`}`;
}

export function watchedEventLine(
  { event, item }: WatchedChange,
  { eventOf }: Watched,
  { time, fields, derive }: WatchSelection,
): string {
  const picked = fields ? pickFields(derive ? derive(item) : item, fields) : item;
  return ndjsonLine({ time, event, ...eventOf(picked) });
}
