import type { Handler } from "../handler.ts";
import { isUnderWay, transactionsOf } from "../lifecycle/nonces.ts";
import { update } from "../lifecycle/update.ts";
import { unsupportedOnSolana } from "../refusal.ts";
import { kindOf } from "../relayer-kind.ts";
import type { Resource } from "../state/collection.ts";
import type { DemoState } from "../state/state.ts";
import { activeRelayer, type FindTransaction, refuseFinal, transactionOf } from "../transaction/lookup.ts";
import { noopFields } from "../transaction/noop.ts";
import { raceReplacement } from "../transaction/replacement-race.ts";

/** facts 5.5: requested, not done, unless nothing was sent yet. A Stellar transaction stays unchanged. */
export function cancellingBy(find: FindTransaction): Handler {
  return async ({ ids: [relayerId = "", id = ""], store, now }) =>
    store.change((state) => {
      const kind = kindOf(activeRelayer(state, relayerId));
      if (kind === "solana") throw unsupportedOnSolana();
      const transaction = find(state, relayerId, id);
      return { data: kind === "stellar" ? transaction : canceled(state, transaction, now) };
    });
}

export const cancelTransaction = cancellingBy(transactionOf);

function canceled(state: DemoState, transaction: Resource, now: number): Resource {
  refuseFinal(transaction, "cancel");
  return transaction.status === "pending" ? dropped(state, transaction, now) : undone(state, transaction, now);
}

function dropped(state: DemoState, transaction: Resource, now: number): Resource {
  const canceled = { ...transaction, status: "canceled", status_reason: "Transaction canceled by user" };
  state.lifecycles.delete(transaction.id);
  update(state, canceled, now);
  return canceled;
}

/** The hash stays that of the original until the transaction in its place is sent. */
function undone(state: DemoState, transaction: Resource, now: number): Resource {
  const canceled = {
    ...transaction,
    ...noopFields(transaction),
    status_reason: "Transaction canceled by user, replacing with NOOP",
    is_canceled: true,
  };
  update(state, canceled, now);
  raceReplacement(state, transaction, canceled, now, { won: "canceled", lost: "confirmed" });
  return canceled;
}

/** facts 5.6: the service's own bulk call lists what is in progress, and cancels nothing. */
export const deletePendingTransactions: Handler = async ({ ids: [relayerId = ""], store, now }) =>
  store.change((state) => {
    const kind = kindOf(activeRelayer(state, relayerId));
    if (kind === "solana") throw unsupportedOnSolana();
    const queued = kind === "evm" ? transactionsOf(state, relayerId).filter(isUnderWay) : [];
    for (const transaction of queued) sendAgain(state, transaction, now);
    return {
      data: {
        queued_for_cancellation_transaction_ids: queued.map(({ id }) => id),
        failed_to_queue_transaction_ids: [],
        total_processed: queued.length,
      },
    };
  });

/** A signed transaction is sent at once; one that was sent is rejected by its node, and its record keeps that reason (facts 13.5). */
function sendAgain(state: DemoState, transaction: Resource, now: number): void {
  const lifecycle = state.lifecycles.get(transaction.id);
  if (!lifecycle) return;
  if (transaction.status === "sent") state.lifecycles.set(transaction.id, { ...lifecycle, due: now });
  if (transaction.status !== "submitted") return;
  state.transactions.put({ ...transaction, status_reason: "Nonce error during submission: NonceTooLow" });
}
