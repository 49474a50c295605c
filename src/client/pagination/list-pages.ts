import { setMaxListeners } from "node:events";
import { grouped } from "../../contract/decimal.ts";
import type { JsonObject } from "../../contract/json.ts";
import { RelayctlError } from "../../errors.ts";
import type { ClientContext } from "../client-context.ts";
import type { ApiRequest } from "../request.ts";
import { PaginationEnd } from "./end.ts";
import { createIdSet, seededHash } from "./id-set.ts";
import { createPaginationLimits } from "./limits.ts";
import type { ListPage } from "./list-page.ts";
import { readNamedPage } from "./named-page.ts";
import { newItems, type Progress } from "./new-items.ts";
import { isOnePage, LARGE_PAGE, type ListBounds, SMALL_PAGE, sizesOf } from "./page-query.ts";
import type { PageRequest } from "./pages.ts";

export type { ListPage } from "./list-page.ts";
export type { ListBounds } from "./page-query.ts";

/** Up to this many items, a list that changed is read once more as a single page. */
const ONE_PAGE_AT_MOST = 10_000;
const USUAL_CONCURRENCY = 8;

/** Yields a list: one page if a page was requested, otherwise every page, complete and without duplicates. */
export async function* listPages<Item extends JsonObject>(
  request: ApiRequest,
  bounds: ListBounds,
  clientContext: ClientContext,
): AsyncGenerator<ListPage<Item>, void> {
  const pages = isOnePage(bounds)
    ? [await readNamedPage(request, bounds, clientContext)]
    : untilLeft(clientContext, (walking) => allPages(request, bounds, walking));
  // What an operation lists is not validated, except that each item has an ID.
  yield* pages as AsyncIterable<ListPage<Item>>;
}

/** Ends pending requests when the reader stops, and ignores their results. */
async function* untilLeft(
  clientContext: ClientContext,
  paginate: (clientContext: ClientContext) => AsyncGenerator<ListPage, void>,
) {
  const left = new AbortController();
  const interrupt = AbortSignal.any([clientContext.interrupt, left.signal]);
  // Each page in progress listens; Node would report more than ten listeners as a leak on stderr.
  setMaxListeners(0, interrupt);
  try {
    yield* paginate({
      ...clientContext,
      interrupt,
      report: (event) => left.signal.aborted || clientContext.report(event),
    });
  } finally {
    left.abort("interrupted");
  }
}

async function* allPages(
  request: ApiRequest,
  bounds: ListBounds,
  clientContext: ClientContext,
): AsyncGenerator<ListPage, void> {
  const hash = seededHash(2 ** 32 * clientContext.random.fraction());
  const progress: Progress = { seen: createIdSet(hash), shrank: false, isAtEnd: false, kept: 0 };
  const { seen } = progress;
  const limits = createPaginationLimits(clientContext, bounds);
  const pageRequest = { request, sizes: sizesOf(bounds), most: mostAhead(bounds, progress), clientContext, limits };
  yield* newItems(pageRequest, seen, progress);
  if (missing(progress))
    yield* newItems({ ...pageRequest, sizes: sizesForSecondRead(progress) }, createIdSet(hash), progress);
  if (missing(progress)) {
    const words = `the list is changing or incomplete: ${grouped(seen.size)} of ${grouped(progress.total ?? 0)} were read`;
    throw new RelayctlError("server", words, { retryable: true, cause: new PaginationEnd("moving", request) });
  }
  const doubt = doubtIn(progress);
  if (doubt) clientContext.report({ type: "note", text: `${grouped(seen.size)} were read, ${doubt}` });
}

/**
 * Returns a note if the list may be incomplete or is longer than its count. Without a count, the service may have
 * truncated a short page: only an empty page proves the end.
 */
function doubtIn({ seen, total, isAtEnd }: Progress): string | undefined {
  if (total === undefined) return isAtEnd ? undefined : "and there may be more: the service does not count this list";
  return seen.size > total ? `though the service counts ${grouped(total)}` : undefined;
}

/** Returns how many pages to request ahead, so that no page beyond the needed items is requested. */
function mostAhead({ concurrency = USUAL_CONCURRENCY, enough }: ListBounds, { seen }: Progress): PageRequest["most"] {
  if (enough === undefined) return () => concurrency;
  return (size) => Math.min(concurrency, Math.ceil((enough - seen.size) / size));
}

/** Returns whether the list changed while it was read, or contains fewer items than its count. */
function missing({ seen, total, shrank }: Progress): boolean {
  return shrank || (total !== undefined && seen.size < total);
}

/**
 * Returns the page sizes for the second read. Never 0, even if the list may be empty: the service fails on 0 (facts 2).
 */
function sizesForSecondRead({ total = 0 }: Progress): PageRequest["sizes"] {
  return [total <= ONE_PAGE_AT_MOST ? Math.max(1, total) : LARGE_PAGE, SMALL_PAGE];
}
