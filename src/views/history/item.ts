import { isJsonObject, type JsonValue } from "../../contract/json.ts";
import { appliedOf, type RecordedWrite, type WriteOutcome } from "../../journal/journal.ts";

/** A write for scripts: the intent and the last outcome, with null for absent values. */
export type HistoryItem = ReturnType<typeof historyItem>;

export function historyItem(write: RecordedWrite, restored?: boolean) {
  const { intent } = write;
  const { id, run, time, server, command, operation, kind, method, target } = intent;
  return {
    id,
    run,
    /** ISO 8601 in UTC, taken just before the write is sent. */
    time,
    user: intent.user ?? null,
    host: intent.host ?? null,
    ci: intent.ci ?? null,
    context: intent.context ?? null,
    server,
    command,
    operation,
    kind,
    method,
    target,
    relayer_id: historyItemRelayer(write) ?? null,
    /** Set, too, for a transaction that the write created. */
    transaction_id: historyItemTransaction(write) ?? null,
    ids: { ...intent.ids },
    body: intent.body ?? null,
    before: intent.before ?? null,
    reason: intent.reason ?? null,
    once: intent.once ?? null,
    applied: appliedOf(write),
    /** Whether a temporary change was undone; null for any other write. */
    restored: restored ?? null,
    ...outcomeMembers(write.outcome),
  };
}

function outcomeMembers(outcome: WriteOutcome | undefined) {
  const { failure = null, message = null, status = null, after = null, time = null, ms = null } = outcome ?? {};
  return { failure, message, status, after, settled_later: outcome?.settledLater === true, ended: time, ms };
}

export function historyItemRelayer({ intent, outcome }: RecordedWrite): string | undefined {
  if (intent.operation !== "relayers.create") return textOrNone(intent.ids.relayer_id);
  return textOrNone(outcome?.after?.id) ?? (isJsonObject(intent.body) ? textOrNone(intent.body.id) : undefined);
}

export function historyItemTransaction({ intent, outcome }: RecordedWrite): string | undefined {
  return (
    textOrNone(intent.ids.transaction_id) ??
    (intent.operation === "tx.send" ? textOrNone(outcome?.after?.id) : undefined)
  );
}

/** An edited line may contain anything. */
function textOrNone(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
