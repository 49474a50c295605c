import type { Client } from "../client/client.ts";
import { wireAmount } from "../contract/amount.ts";
import type { Transaction } from "../contract/transaction/transaction.ts";
import { isBeingCanceled, isNoop } from "../contract/transaction/transaction-state.ts";
import { mayBeInTime, timeOf } from "../journal/created-in-time.ts";
import { agrees, type LostSend, type Shape, shapeOf } from "./lost-send.ts";

export interface Candidate {
  id: string;
  /** Milliseconds since 1970 by the service's clock; undefined if the record does not show it. */
  created: number | undefined;
  shape: Shape | undefined;
}

export interface Listed {
  /** The records that agree with a request, by its ID. */
  agreeing: ReadonlyMap<string, readonly Candidate[]>;
  /** The records of transactions that were canceled, and do not show what they were before. */
  canceled: readonly Candidate[];
  nonces: ReadonlySet<bigint>;
}

/**
 * Reads the whole list of a relayer: nothing is concluded from its order, which a proxy or a clock can change. The list
 * itself proves by its count that it was read to its end.
 * @throws RelayctlError if it was not, with how far it was read
 */
export async function readList(
  { tx }: Pick<Client, "tx">,
  relayerId: string,
  sends: readonly LostSend[],
): Promise<Listed> {
  const byContent = sendsByContent(sends);
  const agreeing = new Map<string, Candidate[]>();
  const canceled: Candidate[] = [];
  const nonces = new Set<bigint>();
  const note = (record: Transaction) => {
    const nonce = wireAmount(record.nonce);
    if (nonce !== undefined) nonces.add(nonce);
    const candidate = { id: record.id, created: timeOf(record.created_at), shape: shapeOf(record) };
    const alike = byContent.get(candidate.shape?.content ?? "") ?? [];
    for (const { id } of alike.filter((send) => mayBeFrom(send, candidate)))
      agreeing.set(id, [...(agreeing.get(id) ?? []), candidate]);
    if (isBeingCanceled(record) || isNoop(record)) canceled.push(candidate);
  };
  for await (const { items } of tx.list(relayerId)) {
    for (const record of items) note(record);
  }
  return { agreeing, canceled, nonces };
}

function mayBeFrom(send: LostSend, { created, shape }: Candidate): boolean {
  return agrees(send.shape, shape) && mayBeInTime(created, send);
}

function sendsByContent(sends: readonly LostSend[]): ReadonlyMap<string, readonly LostSend[]> {
  const found = new Map<string, LostSend[]>();
  for (const send of sends)
    if (send.shape) found.set(send.shape.content, [...(found.get(send.shape.content) ?? []), send]);
  return found;
}
