import { isJsonObject, type JsonObject, type JsonValue } from "../contract/json.ts";
import { receivedTime } from "../contract/reply/received-time.ts";
import type { Transaction } from "../contract/transaction/transaction.ts";
import type { Intent, WriteOutcome } from "../journal/entry.ts";
import type { Journal } from "../journal/journal.ts";

export interface JournaledSend {
  /** What was wanted once: two transactions with the same one are a payment that was doubled. */
  intent: string;
  /** The ID of its entry in the journal. */
  entry: string;
  /** The ID of the transaction; absent if the response was lost. */
  id?: string;
  /** Milliseconds since 1970. */
  time: number;
  reason?: string | undefined;
  /** What the journal shows of the transaction, oldest first. */
  records: Transaction[];
}

interface Entries {
  sends: JournaledSend[];
  /** What later writes show of a transaction, newest first. */
  changes: Map<string, Transaction[]>;
}

/** Reads what the journal knows of the transactions of one relayer. @param since milliseconds since 1970 */
export async function readJournaledSends(
  journal: Journal,
  { server, relayerId, since }: { server: string; relayerId: string; since: number | undefined },
): Promise<JournaledSend[]> {
  const found: Entries = { sends: [], changes: new Map() };
  const outcomes = new Map<string, WriteOutcome[]>();
  for await (const entry of journal.newestFirst(since)) {
    if (entry.type === "outcome") {
      const own = outcomes.get(entry.id) ?? [];
      outcomes.set(entry.id, own);
      own.push(entry);
      continue;
    }
    const own = outcomes.get(entry.id) ?? [];
    outcomes.delete(entry.id);
    if (entry.server !== server || entry.ids.relayer_id !== relayerId) continue;
    if (own.length > 0 && own.every(({ applied }) => applied === "no")) continue;
    if (entry.operation === "tx.send") addSend(found, entry, own);
    else if (entry.operation.startsWith("tx.")) addChange(found, entry, own);
  }
  return withChanges(found);
}

function addSend({ sends }: Entries, intent: Intent, outcomes: readonly WriteOutcome[]): void {
  const { id: entry, once, run, payment, reason } = intent;
  const key = once === undefined ? (payment ? `${run}/${payment.row}` : entry) : `once:${once}`;
  const shown = outcomes.flatMap(({ after }) => (after ? [after] : [])).reverse();
  const ids = new Set(shown.flatMap(({ id }) => (typeof id === "string" ? [id] : [])));
  const common = { intent: key, entry, time: receivedTime(intent.time), reason };
  if (ids.size === 0) sends.push({ ...common, records: [buildRecord({ id: "" }, intent)] });
  for (const id of ids) {
    const records = shown.filter((after) => after.id === id).map((after) => buildRecord(after, intent));
    sends.push({ ...common, id, records });
  }
}

function addChange({ changes }: Entries, intent: Intent, outcomes: readonly WriteOutcome[]): void {
  const { operation, before, ids } = intent;
  const id: JsonValue | undefined = ids.transaction_id;
  if (typeof id !== "string") return;
  const own = changes.get(id) ?? [];
  changes.set(id, own);
  const isApplied = outcomes.some(({ applied }) => applied === "yes");
  const shown = outcomes.find(({ after }) => after?.id === id)?.after ?? { ...before, hash: null };
  const canceled = operation === "tx.cancel" && { is_canceled: true };
  if (isApplied) own.push(buildRecord({ ...shown, ...canceled, id }, intent));
  if (before?.id === id) own.push(before as Transaction);
}

/** Returns what a write shows of its transaction. The request has the data, which the journal does not repeat. */
function buildRecord(shown: JsonObject, { body }: Intent): Transaction {
  const { to, value, data } = isJsonObject(body) ? body : {};
  const wanted = { ...(to !== undefined && { to }), ...(value !== undefined && { value }), data: data ?? null };
  return { ...shown, ...wanted } as Transaction;
}

function withChanges({ sends, changes }: Entries): JournaledSend[] {
  for (const send of sends) send.records.push(...(changes.get(send.id ?? "") ?? []).reverse());
  const sent = new Set(sends.map(({ id }) => id));
  const others = [...changes].flatMap(([id, shown]): JournaledSend[] =>
    sent.has(id) || shown.length === 0
      ? []
      : [{ intent: id, entry: id, id, time: receivedTime(shown.at(-1)?.created_at), records: shown.reverse() }],
  );
  return [...sends, ...others];
}
