import { wireAmount } from "../../../contract/amount.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../contract/json.ts";
import type { NetworkKind } from "../../../contract/network-kind.ts";
import { receivedTime } from "../../../contract/reply/received-time.ts";
import type { Journal } from "../../../journal/journal.ts";
import { appliedOf, type RecordedWrite, writesNewestFirst } from "../../../journal/writes.ts";
import { outgoingOf } from "../funds/outgoing.ts";

/** What one transaction has sent, or may have. */
export interface SentTransaction {
  relayerId: string;
  kind: NetworkKind;
  /** What its version before the day sent. */
  earlier: bigint;
  /** The most that one of its versions sends: any of them may be mined. */
  most: bigint;
}

/**
 * Returns the transactions that a context sent since a time, by ID, or by the ID of the write if the transaction is not
 * known. Writes with an unknown outcome count.
 * @param since milliseconds since 1970
 */
export async function sentSince(
  journal: Journal,
  context: string,
  since: number,
): Promise<ReadonlyMap<string, SentTransaction>> {
  const sent = new Map<string, SentTransaction>();
  for await (const write of writesNewestFirst(journal, since)) {
    const { intent } = write;
    const isInside = intent.context === context && receivedTime(intent.time) >= since && appliedOf(write) !== "no";
    if (isInside && (intent.operation === "tx.send" || intent.operation === "tx.replace")) add(sent, write);
  }
  return sent;
}

/** The older write of a transaction comes later, and knows better what was sent before the day. */
function add(sent: Map<string, SentTransaction>, { intent, outcome }: RecordedWrite): void {
  const { ids, before, body, operation, id } = intent;
  const version = isJsonObject(body) ? amountIn(body) : undefined;
  if (!version) return;
  const created = outcome?.after?.id;
  const key = ids.transaction_id ?? (typeof created === "string" ? created : id);
  const most = sent.get(key)?.most ?? 0n;
  sent.set(key, {
    relayerId: ids.relayer_id ?? "",
    kind: version.kind,
    earlier: operation === "tx.send" ? 0n : earlierAmount(before),
    most: version.amount > most ? version.amount : most,
  });
}

/** Returns what a transaction sends whose record was read; 0 if the record does not show it. */
export function earlierAmount(record: { value?: JsonValue } | undefined): bigint {
  return wireAmount(record?.value) ?? 0n;
}

function amountIn(body: JsonObject): { kind: NetworkKind; amount: bigint } | undefined {
  const kind = Array.isArray(body.operations) ? "stellar" : body.value === undefined ? undefined : "evm";
  const outgoing = kind && outgoingOf(kind, body, body.source_account);
  return kind && outgoing && "amount" in outgoing ? { kind, amount: outgoing.amount } : undefined;
}

/** Returns what a transaction added to the sum of the day. */
export function addedBy({ earlier, most }: Pick<SentTransaction, "earlier" | "most">): bigint {
  return most > earlier ? most - earlier : 0n;
}
