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
  why?: string;
  /** The HTTP status of a refusal; absent if the request did not reach the service. */
  status?: number;
  /** Set if a gateway may have passed on what was refused. */
  mayBePassedOn?: boolean;
}

export function openRowAttempt(row: number, why: string): Attempt {
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

/** Most rows wait, or were sent with their first attempt: only the others are objects. */
export class Rows {
  readonly count: number;
  private readonly sentIds: (string | undefined)[];
  private readonly others = new Map<number, Row>();
  private readonly rowsById = new Map<string, number>();

  constructor(count: number) {
    this.count = count;
    this.sentIds = new Array<string | undefined>(count).fill(undefined);
  }

  get(row: number): Readonly<Row> {
    const found = this.others.get(row);
    if (found) return found;
    const transactionId = this.sentIds[row - 1];
    return {
      state: transactionId === undefined ? "waiting" : "sent",
      unsettled: [],
      ...(transactionId && { transactionId }),
    };
  }

  /** Adds an attempt from the journal, newest first. */
  add(attempt: Attempt): void {
    const { row, outcome, transactionId = "", hash, why = "" } = attempt;
    // A line of the journal may be damaged.
    if (!(row - 1 in this.sentIds)) return;
    if (outcome === "applied" && hash !== undefined) this.mined(row, hash);
    else if (outcome === "applied") this.sent(row, transactionId);
    else if (outcome !== "refused") this.open(attempt);
    else {
      if (attempt.status !== undefined) this.changeable(row).unsettled.push(attempt);
      // The newest refusal comes first.
      if (this.get(row).state === "waiting") this.refused(row, why);
    }
  }

  /** The journal is read newest first: of two rows with one transaction, the row that is added later was sent first. */
  sent(row: number, transactionId: string): void {
    const { unsettled } = this.get(row);
    const later = this.rowsById.get(transactionId) ?? row;
    if (later !== row) {
      const why = `the service returned transaction ${transactionId} for another row too`;
      const open = openRowAttempt(later, why);
      this.others.set(later, { state: "unknown", why, held: why, unsettled: [...this.get(later).unsettled, open] });
    }
    this.rowsById.set(transactionId, row);
    if (this.others.has(row)) this.others.set(row, { state: "sent", transactionId, unsettled });
    else this.sentIds[row - 1] = transactionId;
  }

  /** The service certainly did not accept the row. A row that was sent, or may have been, stays. */
  refused(row: number, why: string): void {
    const { state } = this.get(row);
    if (state === "waiting" || state === "refused") Object.assign(this.changeable(row), { state: "refused", why });
  }

  open(attempt: Attempt): void {
    const row = this.changeable(attempt.row);
    row.unsettled.push(attempt);
    if (attempt.why !== undefined && row.state !== "sent") row.why = attempt.why;
    updateState(row);
  }

  /** The open attempts of a row count as unsent, as a user said. They are still looked for. */
  assumeNotSent(number: number): void {
    const row = this.changeable(number);
    row.unsettled = row.unsettled.map((attempt) =>
      attempt.outcome === "open" ? { ...attempt, outcome: "assumed" } : attempt,
    );
    updateState(row);
  }

  /** An attempt's transaction was found. Returns whether another attempt had sent the row. */
  found(attempt: Attempt, { transactionId, hash }: Pick<Row, "transactionId" | "hash">): boolean {
    const row = this.changeable(attempt.row);
    row.unsettled = row.unsettled.filter(({ id }) => id !== attempt.id);
    if (row.state === "sent") return row.transactionId !== transactionId || row.hash !== hash;
    if (hash !== undefined) this.mined(attempt.row, hash);
    else this.sent(attempt.row, transactionId ?? "");
    return false;
  }

  /** A transaction may belong to an attempt, which is open again, whatever a response or a user said. */
  hold({ row: number, id }: Attempt, why: string): void {
    const row = this.changeable(number);
    if (row.state === "sent") return;
    row.unsettled = row.unsettled.map((each) => (each.id === id ? { ...each, outcome: "open", why } : each));
    Object.assign(row, { why, held: why });
    updateState(row);
  }

  /** No transaction of an attempt can exist anymore. */
  unsent({ row: number, id }: Attempt): void {
    const row = this.changeable(number);
    row.unsettled = row.unsettled.filter((each) => each.id !== id);
    updateState(row);
  }

  unsettled(): Attempt[] {
    return [...this.others.keys()].sort((one, other) => one - other).flatMap((row) => this.get(row).unsettled);
  }

  inState(...states: readonly RowState[]): number[] {
    const numbers = Array.from({ length: this.count }, (_, index) => index + 1);
    return numbers.filter((row) => states.includes(this.get(row).state));
  }

  private mined(row: number, hash: string): void {
    Object.assign(this.changeable(row), { state: "sent", hash });
  }

  private changeable(row: number): Row {
    const found = this.get(row);
    this.others.set(row, found);
    return found;
  }
}

/** A row that was sent stays sent; a row that may have been sent is unknown, whatever its other attempts came to. */
function updateState(row: Row): void {
  if (row.state === "sent") return;
  const isOpen = row.unsettled.some(({ outcome }) => outcome === "open");
  if (isOpen) row.state = "unknown";
  else if (row.state === "unknown") row.state = "waiting";
}

export function rowOutcome(rows: Rows, row: number): RowOutcome {
  const { state, transactionId, hash, why } = rows.get(row);
  const isExplained = why !== undefined && state !== "sent";
  return { row, state, ...(transactionId && { transactionId }), ...(hash && { hash }), ...(isExplained && { why }) };
}
