import { memoryBudgetFor } from "../attempt/memory-budget.ts";
import type { ClientContext } from "../client-context.ts";
import type { ApiRequest } from "../request.ts";
import { type Fetched, fetchFirst, fetchNumber } from "./fetch-page.ts";
import type { ListPage } from "./list-page.ts";

/** How to request the pages of one pass. */
export interface PageRequest {
  request: ApiRequest;
  /** Page sizes to try in order; the next one is used if a size is refused, or if its response is too large. */
  sizes: readonly [number, ...number[]];
  /** Returns the current maximum of concurrent requests for pages of a size. */
  most(size: number): number;
  clientContext: ClientContext;
}

/** A list may grow while it is read; a list that exceeds its number of pages by this factor counts as endless. */
const LATER_PAGES = 2;

/**
 * Yields the pages of one list in order. The first page is requested alone: it shows how many there are, and no page
 * past the end may be requested (facts 2). If the service does not count, each page shows whether another follows.
 */
export async function* pagesInTurn({
  request,
  sizes,
  most,
  clientContext,
}: PageRequest): AsyncGenerator<ListPage, void> {
  clientContext.report({ type: "page", page: 1, of: undefined });
  const first = await fetchFirst(request, sizes, clientContext);
  yield first.page;
  const size = first.pagination?.per_page || first.size;
  const budget = createPageBudget(first, clientContext.heapLimit);
  const take = lookAhead(async (number) => budget.measured(await fetchNumber(request, number, size, clientContext)));
  const end = first.pagination ? LATER_PAGES * lastPage(first, 1, size) : Number.POSITIVE_INFINITY;
  let last = lastPage(first, 1, size);
  for (let number = 2; number <= last; number++) {
    clientContext.report({ type: "page", page: number, of: first.pagination && last });
    const fetched = await take(number, { last, most: Math.min(most(size), budget.most()) });
    yield fetched.page;
    last = Math.min(end, lastPage(fetched, number, size));
  }
}

/** Returns the last page number: from the service's own count if there is one, otherwise from the first short page. */
function lastPage({ page, pagination }: Fetched, number: number, size: number): number {
  if (page.found.length === 0) return number;
  if (pagination) return Math.ceil(pagination.total_items / size);
  return page.found.length >= size ? number + 1 : number;
}

/** Returns the result for a number, and starts the tasks for the following numbers. */
export type LookAhead<T> = (number: number, bounds: { last: number; most: number }) => Promise<T>;

/**
 * Runs a task for consecutive numbers, several at the same time. The caller takes the results in order. Tasks start
 * only when a result is taken, so `most` also limits the results in memory, and a slow caller slows down the tasks.
 */
export function lookAhead<T>(task: (number: number) => Promise<T>): LookAhead<T> {
  const inProgress = new Map<number, Promise<T>>();
  return (number, { last, most }) => {
    const result = inProgress.get(number) ?? task(number);
    inProgress.delete(number);
    for (let next = number + 1; next <= last && next < number + most; next++) {
      if (!inProgress.has(next)) inProgress.set(next, quiet(task(next)));
    }
    return result;
  };
}

/** Defers a failure until its result is taken; it is ignored if the result is never taken. */
function quiet<T>(result: Promise<T>): Promise<T> {
  result.catch(() => {});
  return result;
}

/** Limits how many pages may be held at the same time, by the size of the pages received so far. */
export interface PageBudget {
  most(): number;
  /** Records the size of a page, and returns the page. */
  measured(fetched: Fetched): Fetched;
}

/** Bytes for an item's position in its page. */
const ITEM = 96;

/** Creates a page budget that allows many small pages or few large ones: a count alone does not limit memory. */
export function createPageBudget(first: Fetched, heapLimit: () => number): PageBudget {
  let heaviest = weightOf(first);
  return {
    most: () => Math.max(1, Math.floor(memoryBudgetFor(heaviest, heapLimit).pages / heaviest)),
    measured(fetched) {
      heaviest = Math.max(heaviest, weightOf(fetched));
      return fetched;
    },
  };
}

function weightOf({ page: { body, found } }: Fetched): number {
  return body.length + ITEM * found.length;
}
