import { nextSlotNonce, slotNonce } from "../../chain/queue/slots.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { isFinal, isPending, type Transaction, txStatus } from "../../contract/transaction/transaction.ts";
import { isBeyondUsualTime } from "../../contract/transaction/usual-time.ts";
import { type Cell, type ResourceView, type RowSign, type TableColumn, toCell, toColumn } from "../../terminal/view.ts";
import { briefOutcomeCell } from "./outcome.ts";
import { transactionViewIn } from "./record.ts";

/** Returns the coin of a transaction's network, if it is known when amounts are drawn, and the kind of the network. */
export type PlaceOf = (transaction: Transaction) => { symbol: string | undefined; kind: NetworkKind };

export interface TransactionListing {
  placeOf: PlaceOf;
  /** Milliseconds since 1970. */
  now: number;
  /** Only a terminal shows what waits for what, and what is slow. */
  isTerminal: boolean;
  isFleet?: boolean;
}

export interface ListedTransactions {
  resource: ResourceView<Transaction>;
  add(items: readonly Transaction[]): void;
}

/** Shows on a terminal what waits for what, and what has been pending for longer than usual. */
export function listedTransactions(listing: TransactionListing): ListedTransactions {
  const { now, isTerminal, isFleet = false } = listing;
  const queues = new Map<string, ListedQueue>();
  const place = (transaction: Transaction): Place => {
    const nonce = isPending(transaction) ? slotNonce(transaction) : undefined;
    const first = nonce === undefined ? undefined : firstIn(queues.get(String(transaction.relayer_id)));
    const waitsFor = nonce !== undefined && first !== undefined && first < nonce ? first : undefined;
    return { waitsFor, isSlow: isBeyondUsualTime(transaction, listing.placeOf(transaction).kind, now) };
  };
  const view = transactionViewIn((transaction) => listing.placeOf(transaction).symbol);
  const own = (each: TableColumn<Transaction>): TableColumn<Transaction> => {
    if (each.header === "id") return { ...each, worth: 5, isBelow: true };
    if (each.header === "age") return { ...each, worth: "always" };
    if (each.header !== "status" || !isTerminal) return each;
    return { ...each, cell: (item) => withPlace(each.cell(item), place(item)) };
  };
  const waits: TableColumn<Transaction> = { header: "waits for", cell: (item) => waitsCell(place(item)), worth: 2 };
  const columns = view.table.map(own).flatMap((each) => (each.header === "age" && isTerminal ? [each, waits] : [each]));
  const table = [...(isFleet ? [RELAYER] : []), ...columns];
  return {
    resource: { ...view, table, sign: (transaction) => signFor(transaction, place(transaction)) },
    add(items) {
      for (const item of items) {
        const relayer = String(item.relayer_id);
        const queue = queues.get(relayer) ?? { pending: [], next: 0n };
        const nonce = isPending(item) ? slotNonce(item) : undefined;
        if (nonce !== undefined) queue.pending.push(nonce);
        const next = nextSlotNonce([item]);
        queues.set(relayer, { pending: queue.pending, next: next > queue.next ? next : queue.next });
      }
    },
  };
}

interface Place {
  /** The lowest pending nonce of the relayer, if it is another one. */
  waitsFor: bigint | undefined;
  isSlow: boolean;
}

const RELAYER: TableColumn<Transaction> = { ...toColumn("relayer", "relayer_id"), whole: true };

interface ListedQueue {
  pending: bigint[];
  /** The next nonce by mined ones. */
  next: bigint;
  /** The nonce that later ones wait for, or null; absent until computed. */
  first?: bigint | null;
}

function firstIn(queue: ListedQueue | undefined): bigint | undefined {
  if (queue && queue.first === undefined) {
    const open = queue.pending.filter((nonce) => nonce >= queue.next);
    queue.first = open.length === 0 ? null : open.reduce((one, other) => (one < other ? one : other));
  }
  return queue?.first ?? undefined;
}

function withPlace({ text, tone }: Cell, { isSlow, waitsFor }: Place): Cell {
  return isSlow && waitsFor === undefined ? { text: `${text} · slow`, tone: tone ?? "warn" } : { text, tone };
}

function waitsCell({ waitsFor }: Place): Cell {
  return waitsFor === undefined ? toCell(null) : { text: `nonce ${waitsFor}` };
}

function signFor(transaction: Transaction, { waitsFor, isSlow }: Place): RowSign {
  const { tone } = briefOutcomeCell(transaction);
  if (tone === "good" || tone === "bad") return { sign: tone, tone };
  const status = txStatus(transaction);
  if (isFinal(status) && tone === undefined) return { sign: "bad", tone: "faint" };
  if (waitsFor !== undefined) return { sign: "ahead" };
  return isSlow || tone === "warn" ? { sign: "attention", tone: "warn" } : { sign: "active" };
}
