import type { JsonObject, JsonValue } from "../../contract/json.ts";
import type { RelayctlError } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import type { ListView } from "../../terminal/view.ts";
import type { Choice } from "./choice.ts";

export interface Reading<T extends JsonObject = JsonObject> {
  items: readonly T[];
  /** The number of requests that it took, which bounds the pace. */
  requests: number;
  /** What could not be read, e.g. `1 relayer could not be read: r1`. */
  trouble?: string | undefined;
}

/** A list that is read again and again. */
export interface Watched<T extends JsonObject = JsonObject> {
  session: Session;
  /** Milliseconds between two reads, as typed. */
  every: number;
  read(): Promise<Reading<T>>;
  /** Values that cost more, which are read at a slower pace, next to the list. */
  slower?: SlowerValues<T> | undefined;
  /** Returns the list to draw. @param isMarked whether an item is marked as changed; absent if none ever is */
  view(items: readonly T[], isMarked?: (item: JsonObject) => boolean): ListView;
  idOf(item: T): string;
  nameOf?(item: T): string;
  /** Returns what counts as a change, unless fields are named. */
  compared(item: T): JsonValue;
  isMoved?(before: T, now: T): boolean;
  stateOf(item: T): string;
  /** Returns the rank of an item on a screen that is too small: the lowest first. */
  rankOf(item: T): number;
  eventOf(item: T): JsonObject;
  /** The program that is run for each change, with its arguments. */
  onChange?: readonly string[] | undefined;
  /** Returns whether an item may leave the list without an event. */
  mayLeave?(item: T): boolean;
}

export interface SlowerValues<T extends JsonObject> {
  /** Milliseconds between two reads. */
  every: number;
  /** Whether the first read waits for them, because fields or conditions name them. */
  isNeeded: boolean;
  read(): Promise<Reading<T>>;
}

export interface WatchReporter<T extends JsonObject = JsonObject> {
  seen(reading: Reading<T>, choice: Choice): Promise<void>;
  /** Reports that the service does not respond; the watch retries. */
  failed(error: RelayctlError): Promise<void>;
  noted(line: string): Promise<void>;
  /** Returns the milliseconds until it must be drawn again although nothing is read; undefined if not. */
  due(): number | undefined;
  redraw(): Promise<void>;
  /** Ends the watch; the last state stays readable. */
  end(): Promise<void>;
}
