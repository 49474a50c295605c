import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { isBeingCancelled, isFinal, statusOf } from "../../../contract/transaction/transaction-state.ts";
import type { Page } from "../../../terminal/view.ts";

/**
 * The transactions in one state. Services before v1.6 ignore the filter and return all. A state that is not final
 * excludes transactions whose cancellation is in progress, as the service does (facts 2).
 */
export async function* withStatus(status: string | undefined, pages: AsyncIterable<Page>): AsyncGenerator<Page> {
  for await (const page of pages) {
    const items = status === undefined ? page.items : page.items.filter((item) => isIn(status, item as Transaction));
    // What the service counted is not what was asked for either.
    if (items.length === page.items.length) yield page;
    else yield { items, total: undefined, body: page.body, keep: (bytes) => page.keep?.(bytes) };
  }
}

function isIn(status: string, transaction: Transaction): boolean {
  return statusOf(transaction) === status && (isFinal(status) || !isBeingCancelled(transaction));
}
