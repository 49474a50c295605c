import type { OperationKind } from "../../contract/operation.ts";
import { BULK_RETRIES, ONCE_RETRIES, ONCE_WINDOW } from "../../timing.ts";
import type { Fault, Outcome } from "./outcome.ts";

/**
 * The next action for an outcome: the table of promises 7.1, with one row per fault and one column per kind of request.
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

export interface Progress {
  /** Attempts made, including the latest. */
  attempts: number;
  /** Extra attempts allowed (`--retries`). */
  retries: number;
  /** Milliseconds since the first attempt began. */
  elapsed: number;
  /**
   * Whether the request is one of many that slow down together: a refusal by rate then says nothing about this request.
   */
  inBulk: boolean;
}

/** Returns the next action. `retry` only while attempts are left; then the last outcome decides. */
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
