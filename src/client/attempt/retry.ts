import type { OperationKind } from "../../contract/operation.ts";
import type { Fault, Outcome } from "./outcome.ts";

/**
 * What follows from an outcome: the table of promises 7.1, with one row per fault and one column per kind of request.
 */
export type Action = "done" | "retry" | "read_back" | "unknown" | "fail";

type Row = Record<OperationKind, Action>;

const everywhere = (action: Action): Row => ({
  read: action,
  patch: action,
  remove: action,
  create: action,
  once: action,
});
const lost: Row = { read: "retry", patch: "read_back", remove: "read_back", create: "read_back", once: "unknown" };

const TABLE: Record<Fault, Row> = {
  none: everywhere("done"),
  not_sent: everywhere("retry"),
  limited: everywhere("retry"),
  lost,
  unreadable: lost,
  refused: everywhere("fail"),
};

/** How far the attempts have come. */
export interface Progress {
  /** Attempts made, the one just judged included. */
  attempts: number;
  /** Extra attempts allowed (`--retries`). */
  retries: number;
  /** Milliseconds since the first attempt began. */
  elapsed: number;
  /** One of many that slow down together: that the service lets no more through says nothing of this one. */
  inBulk: boolean;
}

const ONCE_RETRIES = 2;
const ONCE_WINDOW = 15_000;
/** How often one of many may be refused by rate before it is given up. */
const BULK_RETRIES = 100;

/** What to do next. `retry` comes only while it is allowed: when the attempts are used up, it is what the last outcome means. */
export function nextAction(kind: OperationKind, outcome: Outcome, progress: Progress): Action {
  const action = TABLE[outcome.fault][kind];
  return action === "retry" && !mayRetry(kind, outcome, progress) ? "fail" : action;
}

function mayRetry(kind: OperationKind, outcome: Outcome, { attempts, retries, elapsed, inBulk }: Progress): boolean {
  if ("failure" in outcome && outcome.failure?.reason === "interrupted") return false;
  if (outcome.fault === "limited" && inBulk) return attempts <= BULK_RETRIES;
  if (outcome.fault === "not_sent") {
    if (outcome.final) return false;
    if (kind === "once") return attempts <= Math.min(retries, ONCE_RETRIES) && elapsed < ONCE_WINDOW;
  }
  return attempts <= (outcome.fault === "unreadable" ? Math.min(retries, 1) : retries);
}
