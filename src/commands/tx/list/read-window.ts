import type { Client } from "../../../client/client.ts";
import type { ListBounds } from "../../../client/pagination/list-pages.ts";
import { receivedTime } from "../../../contract/reply/received-time.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { PENDING_STATUSES } from "../../../contract/transaction/transaction-state.ts";
import { kept } from "../../listed.ts";
import { withStatus } from "./with-status.ts";

/** Which transactions of a relayer a watch reads. */
export interface Window {
  /** The pages that were asked for; undefined for the newest transactions and all pending ones. */
  bounds: ListBounds | undefined;
  status: string | undefined;
  newest: number;
}

/** The most pending transactions of each status. */
const MOST_PENDING = 1_000;

/** Reads the transactions of a relayer that a watch shows, newest first, and returns how many requests it took. */
export async function readWindow(
  { tx }: Pick<Client, "tx">,
  relayerId: string,
  { bounds, status, newest }: Window,
): Promise<{ items: readonly Transaction[]; requests: number }> {
  if (bounds) {
    const items = await kept<Transaction>(withStatus(status, tx.list(relayerId, bounds, status)));
    return { items, requests: 1 };
  }
  const first: Transaction[] = [];
  let all = 0;
  for await (const { items, total } of tx.list(relayerId, { page: 1, perPage: newest })) {
    first.push(...items);
    all = total ?? items.length;
  }
  if (all <= first.length) return { items: first, requests: 1 };
  const found = new Map(first.map((item) => [item.id, item]));
  const older: Transaction[] = [];
  for (const pending of PENDING_STATUSES) {
    const pages = withStatus(pending, tx.list(relayerId, { page: 1, perPage: MOST_PENDING }, pending));
    // A transaction that moves on in between is found twice.
    older.push(...(await kept<Transaction>(pages, ({ id }) => !found.has(String(id)))));
    for (const item of older) found.set(item.id, item);
  }
  return { items: [...first, ...older.sort(newestFirst)], requests: 1 + PENDING_STATUSES.length };
}

function newestFirst(one: Transaction, other: Transaction): number {
  return receivedTime(other.created_at) - receivedTime(one.created_at);
}
