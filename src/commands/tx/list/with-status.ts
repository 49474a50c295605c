import type { ApiRequest } from "../../../client/request.ts";
import { operations } from "../../../contract/operations.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { isBeingCanceled, isFinal, statusOf } from "../../../contract/transaction/transaction-state.ts";
import type { Page } from "../../../terminal/view.ts";

/** How many of the newest transactions a watch reads of one relayer, and of each of a fleet. */
export const [NEWEST_OF_ONE, NEWEST_OF_EACH] = [100, 20];

export function transactionsRequest(relayerId: string, status: string | undefined): ApiRequest {
  const query = status === undefined ? {} : { status };
  return { operation: operations["tx.list"], parameters: { relayer_id: relayerId }, query };
}

/**
 * Yields the transactions in one state. Services before v1.6 ignore the filter and return all. A state that is not
 * final excludes transactions whose cancellation is in progress, as the service does (facts 2).
 */
export async function* withStatus(status: string | undefined, pages: AsyncIterable<Page>): AsyncGenerator<Page> {
  // The items of a page are built on access.
  if (status === undefined) return yield* pages;
  for await (const page of pages) {
    const items = page.items.filter((item) => isIn(status, item as Transaction));
    // The service's count does not apply to the filtered items.
    if (items.length === page.items.length) yield page;
    else yield { items, total: undefined, body: page.body, keep: (bytes) => page.keep?.(bytes) };
  }
}

function isIn(status: string, transaction: Transaction): boolean {
  return statusOf(transaction) === status && (isFinal(status) || !isBeingCanceled(transaction));
}
