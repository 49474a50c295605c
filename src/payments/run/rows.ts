import type { JsonObject } from "../../contract/json.ts";
import type { LostSend } from "../../recovery/lost-send.ts";
import type { RowOutcome, RowState } from "../outcome.ts";

/** A recorded request that sent a row, or may have. */
export interface Attempt extends LostSend {
  row: number;
  /**
   * - `applied`: the service accepted it.
   * - `refused`: the service certainly did not.
   * - `open`: it is unknown whether the service accepted it.
   * - `assumed`: as `open`, but a user said that it was not sent.
   */
  outcome: "applied" | "refused" | "open" | "assumed";
  /** Of its transaction, if it was applied; only the hash if its record was deleted. */
  transactionId?: string;
  hash?: string;
  /** Why it was refused, or its outcome is unknown. */
  why?: string;
  /** The HTTP status of a refusal; absent if the request did not reach the service. */
  status?: number;
}

export function openAttempt(row: number, why: string): Attempt {
  return { id: "", run: "", row, time: 0, shape: undefined, outcome: "open", why };
}

export interface RowRequest {
  row: number;
  body: JsonObject;
}

export interface RowRequests extends Iterable<RowRequest> {
  readonly length: number;
}

interface Row {
  state: Extract<RowState, "waiting" | "sent" | "unknown" | "refused">;
  transactionId?: string;
  /** Set if only the chain has its transaction. */
  hash?: string;
  why?: string;
  /** Why it is never sent again, even if a user says so: a transaction may belong to it. */
  held?: string;
  /** Lists open, assumed, and refused ones: a proxy that sends a request twice returns the second response. */
  unsettled: Attempt[];
}

export interface Rows {
  readonly count: number;
  /** Adds an attempt from the journal, newest first. */
  add(attempt: Attempt): void;
  get(row: number): Readonly<Row>;
  sent(row: number, transactionId: string): void;
  /** The service certainly did not accept the row. A row that was sent, or may have been, stays. */
  refused(row: number, why: string): void;
  open(attempt: Attempt): void;
  /** The open attempts of a row count as unsent, as a user said. They are still looked for. */
  assumeNotSent(row: number): void;
  /** An attempt's transaction was found. Returns whether another attempt had sent the row. */
  found(attempt: Attempt, transaction: Pick<Row, "transactionId" | "hash">): boolean;
  /** A transaction may belong to an attempt, which is open again, whatever a response or a user said. */
  hold(attempt: Attempt, why: string): void;
  /** No transaction of an attempt can exist anymore. */
  unsent(attempt: Attempt): void;
  unsettled(): Attempt[];
  inState(...states: readonly RowState[]): number[];
}

export function createRows(count: number): Rows {
  const sentIds = new Array<string | undefined>(count).fill(undefined);
  /** Most rows wait, or were sent with their first attempt: only the others are objects. */
  const others = new Map<number, Row>();
  const get = (row: number): Row => {
    if (row < 1 || row > count) throw new RangeError(`no row ${row}`);
    const transactionId = sentIds[row - 1];
    const untouched: Row = { state: "waiting", unsettled: [] };
    return (
      others.get(row) ?? (transactionId === undefined ? untouched : { ...untouched, state: "sent", transactionId })
    );
  };
  const changeable = (row: number): Row => {
    const found = get(row);
    others.set(row, found);
    return found;
  };
  /** A row that was sent stays sent; a row that may have been sent is unknown, whatever its other attempts came to. */
  const updateState = (row: Row) => {
    if (row.state === "sent") return;
    const isOpen = row.unsettled.some(({ outcome }) => outcome === "open");
    if (isOpen) row.state = "unknown";
    else if (row.state === "unknown") row.state = "waiting";
  };
  const rowsById = new Map<string, number>();
  /** The journal is read newest first: of two rows with one transaction, the row that is added later was sent first. */
  const sent = (row: number, transactionId: string) => {
    const { unsettled } = get(row);
    const later = rowsById.get(transactionId) ?? row;
    if (later !== row) {
      const why = `the service returned transaction ${transactionId} for another row too`;
      const open = openAttempt(later, why);
      others.set(later, { state: "unknown", why, held: why, unsettled: [...get(later).unsettled, open] });
    }
    rowsById.set(transactionId, row);
    if (others.has(row)) others.set(row, { state: "sent", transactionId, unsettled });
    else sentIds[row - 1] = transactionId;
  };
  const mined = (row: number, hash: string) => {
    Object.assign(changeable(row), { state: "sent", hash });
  };
  const refused = (row: number, why: string) => {
    const { state } = get(row);
    if (state === "waiting" || state === "refused") Object.assign(changeable(row), { state: "refused", why });
  };
  const open = (attempt: Attempt) => {
    const row = changeable(attempt.row);
    row.unsettled.push(attempt);
    if (attempt.why !== undefined && row.state !== "sent") row.why = attempt.why;
    updateState(row);
  };
  const numbers = () => Array.from({ length: count }, (_, index) => index + 1);
  return {
    count,
    get,
    sent,
    refused,
    open,
    add(attempt) {
      const { row, outcome, transactionId = "", hash, why = "" } = attempt;
      if (outcome === "applied" && hash !== undefined) return mined(row, hash);
      if (outcome === "applied") return sent(row, transactionId);
      if (outcome !== "refused") return open(attempt);
      if (attempt.status !== undefined) changeable(row).unsettled.push(attempt);
      // The newest refusal comes first.
      if (get(row).state === "waiting") refused(row, why);
    },
    assumeNotSent(number) {
      const row = changeable(number);
      row.unsettled = row.unsettled.map((attempt) =>
        attempt.outcome === "open" ? { ...attempt, outcome: "assumed" } : attempt,
      );
      updateState(row);
    },
    found(attempt, { transactionId, hash }) {
      const row = changeable(attempt.row);
      row.unsettled = row.unsettled.filter(({ id }) => id !== attempt.id);
      if (row.state === "sent") return row.transactionId !== transactionId || row.hash !== hash;
      if (hash !== undefined) mined(attempt.row, hash);
      else sent(attempt.row, transactionId ?? "");
      return false;
    },
    hold({ row: number, id }, why) {
      const row = changeable(number);
      if (row.state === "sent") return;
      row.unsettled = row.unsettled.map((each) => (each.id === id ? { ...each, outcome: "open", why } : each));
      Object.assign(row, { why, held: why });
      updateState(row);
    },
    unsent({ row: number, id }) {
      const row = changeable(number);
      row.unsettled = row.unsettled.filter((each) => each.id !== id);
      updateState(row);
    },
    unsettled: () => [...others.keys()].sort((one, other) => one - other).flatMap((row) => get(row).unsettled),
    inState: (...states) => numbers().filter((row) => states.includes(get(row).state)),
  };
}

export function rowOutcome(rows: Rows, row: number): RowOutcome {
  const { state, transactionId, hash, why } = rows.get(row);
  const isExplained = why !== undefined && state !== "sent";
  return { row, state, ...(transactionId && { transactionId }), ...(hash && { hash }), ...(isExplained && { why }) };
}
