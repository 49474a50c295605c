import { isPending } from "../../contract/transaction/transaction.ts";
import type { Handler } from "../handler.ts";
import type { Lifecycle } from "../lifecycle/lifecycle.ts";
import { transactionsOf } from "../lifecycle/numbers.ts";
import { unsupportedOnSolana } from "../refusal.ts";
import type { Resource } from "../state/collection.ts";
import { type ServerState, updateState } from "../state/state.ts";
import { noopTransactionFields } from "../transaction/fields.ts";
import {
  type FindTransaction,
  lookUpActiveRelayer,
  ownTransaction,
  refuseFinalTransaction,
  servedKind,
} from "../transaction/lookup.ts";
import { cancelInWorker, type SentChange, type WorkerStyle } from "../worker/follow-change.ts";

/** Requests a cancellation, which cancels an unsent transaction at once. Stellar stays unchanged (facts 5.5). */
export function cancelHandler(find: FindTransaction, styleFor: (seed: number) => WorkerStyle = () => ({})): Handler {
  return async ({ ids: [relayerId = "", id = ""], store, now }) =>
    store.change((state) => {
      const relayer = lookUpActiveRelayer(state, relayerId);
      const kind = servedKind(relayer);
      if (kind === "solana") throw unsupportedOnSolana();
      const transaction = find(state, relayerId, id);
      if (kind === "stellar") return { data: transaction };
      refuseFinalTransaction(transaction, "cancel");
      const isSigned = transaction.status !== "pending";
      const style = styleFor(state.hashes);
      if (!isSigned) return { data: dropPending(state, transaction, now, style) };
      return { data: undoSent(state, { relayer, old: transaction }, now, style) };
    });
}

export const cancelTransaction = cancelHandler(ownTransaction);

/** Milliseconds until the nonce of a canceled transaction is filled that could not be signed (facts 16.3). */
const TO_FILLED = 195_000;

function dropPending(state: ServerState, transaction: Resource, now: number, { notices }: WorkerStyle): Resource {
  const canceled = { ...transaction, status: "canceled", status_reason: "Transaction canceled by user" };
  state.lifecycles.delete(transaction.id);
  updateState(state, canceled, now);
  const leavesGap = typeof transaction.nonce === "number";
  const { id } = transaction;
  const gap: Lifecycle = { id, next: "gap", due: now + TO_FILLED, ...(notices !== undefined && { notices }) };
  if (leavesGap) state.lifecycles.set(id, gap);
  return canceled;
}

/** Returns the transaction as a canceling one. The hash stays until the new one is sent. */
function undoSent(state: ServerState, { relayer, old }: Omit<SentChange, "record">, now: number, style: WorkerStyle) {
  const canceled = {
    ...old,
    ...noopTransactionFields(old),
    status_reason: "Transaction canceled by user, replacing with NOOP",
    is_canceled: true,
  };
  updateState(state, canceled, now);
  cancelInWorker(state, { relayer, old, record: canceled }, now, style);
  return canceled;
}

/** Lists the pending transactions and cancels none, like the service's own bulk call (facts 5.6). */
export const deletePendingTransactions: Handler = async ({ ids: [relayerId = ""], store, now }) =>
  store.change((state) => {
    const kind = servedKind(lookUpActiveRelayer(state, relayerId));
    if (kind === "solana") throw unsupportedOnSolana();
    const queued = kind === "evm" ? transactionsOf(state, relayerId).filter(isPending) : [];
    for (const transaction of queued) sendAgain(state, transaction, now);
    return {
      data: {
        queued_for_cancellation_transaction_ids: queued.map(({ id }) => id),
        failed_to_queue_transaction_ids: [],
        total_processed: queued.length,
      },
    };
  });

/** Sends the cancellation of a signed transaction at once; a sent one's record keeps why not (facts 13.5). */
function sendAgain(state: ServerState, transaction: Resource, now: number): void {
  const lifecycle = state.lifecycles.get(transaction.id);
  if (!lifecycle) return;
  if (transaction.status === "sent") state.lifecycles.set(transaction.id, { ...lifecycle, due: now });
  if (transaction.status !== "submitted") return;
  state.transactions.put({ ...transaction, status_reason: "Nonce error during submission: NonceTooLow" });
}
