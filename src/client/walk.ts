import { type Pagination, paginationOf } from "../contract/envelope.ts";
import type { JsonObject } from "../contract/json.ts";
import { RelayctlError } from "../errors.ts";
import type { Link } from "./link.ts";
import type { ListPage } from "./list-page.ts";
import { readReplyOf } from "./read.ts";
import type { Ask } from "./request.ts";
import { untilIdle } from "./until-idle.ts";

export type { ListPage } from "./list-page.ts";

/** Which part of a list is asked for; nothing asks for all of it. */
export interface ListBounds {
  page?: number;
  perPage?: number;
}

/** The service has no maximum, and large pages spare its rate limit; a server that refuses this is asked for fewer (design 3). */
const LARGE_PAGE = 1000;
const SMALL_PAGE = 100;
/** A list may grow while it is read; one that has grown to so many times its pages is one that never ends. */
const LATER_PAGES = 2;
/** Up to this many items a list that moved is looked at once more in a single page. */
const ONE_PAGE_AT_MOST = 10_000;

/** A list: one request where a page was named, else every page, complete and without duplicates. */
export async function* listPages(ask: Ask, bounds: ListBounds, link: Link): AsyncGenerator<ListPage, void> {
  if (bounds.page !== undefined || bounds.perPage === 0) yield await onePage(ask, bounds, link);
  else yield* allPages(ask, bounds.perPage, link);
}

async function onePage(ask: Ask, bounds: ListBounds, link: Link): Promise<ListPage> {
  const query = {
    ...(bounds.page !== undefined && { page: String(bounds.page) }),
    ...(bounds.perPage !== undefined && { per_page: String(bounds.perPage) }),
  };
  const { page } = await fetchPage(ask, query, link);
  return page;
}

/** What a walk has seen so far. */
interface Progress {
  seen: Set<string>;
  /** The service's own count, when it last gave one. */
  total?: number;
  /** Whether that count fell during the last walk: what was removed moved others to a page that was read already. */
  shrank: boolean;
}

async function* allPages(ask: Ask, perPage: number | undefined, link: Link): AsyncGenerator<ListPage, void> {
  const progress: Progress = { seen: new Set(), shrank: false };
  const { seen } = progress;
  yield* newItems(ask, perPage === undefined ? [LARGE_PAGE, SMALL_PAGE] : [perPage], progress, link);
  if (missing(progress)) yield* newItems(ask, sizesForSecondLook(progress), progress, link);
  if (missing(progress)) {
    const words = `the list is moving or not complete: ${seen.size} of ${progress.total} were seen`;
    throw new RelayctlError("server", words, { retryable: true });
  }
  if (progress.total !== undefined && seen.size > progress.total) {
    link.report({ type: "note", text: `${seen.size} were read, though the service counts ${progress.total}` });
  }
}

/** The list moved while it was read, or holds fewer than it says. */
function missing({ seen, total, shrank }: Progress): boolean {
  return shrank || (total !== undefined && seen.size < total);
}

function sizesForSecondLook({ total = 0 }: Progress): readonly number[] {
  return [total <= ONE_PAGE_AT_MOST ? total : LARGE_PAGE, SMALL_PAGE];
}

/** One walk over the list: each page with what was not seen before. A walk that breaks says how far it came. */
async function* newItems(
  ask: Ask,
  sizes: readonly number[],
  progress: Progress,
  link: Link,
): AsyncGenerator<ListPage, void> {
  const { seen } = progress;
  progress.shrank = false;
  delete progress.total;
  try {
    for await (const page of untilIdle(pagesInTurn(ask, sizes, link))) {
      count(progress, page);
      yield withoutSeen(page, seen);
    }
  } catch (error) {
    if (seen.size === 0 || !(error instanceof RelayctlError)) throw error;
    throw error.with({ because: [`${seen.size} of ${progress.total ?? "an unknown number"} were read`] });
  }
}

function count(progress: Progress, { total }: ListPage): void {
  if (total === undefined) return;
  progress.shrank ||= total < (progress.total ?? 0);
  progress.total = total;
}

async function* pagesInTurn(ask: Ask, sizes: readonly number[], link: Link): AsyncGenerator<ListPage, void> {
  const first = await firstPage(ask, sizes, link);
  yield first.page;
  const size = first.pagination?.per_page || first.size;
  const last = first.pagination
    ? LATER_PAGES * Math.ceil(first.pagination.total_items / size)
    : Number.POSITIVE_INFINITY;
  let more = hasMore(first, 1, size);
  for (let number = 2; more && number <= last; number++) {
    const next = await pageNumber(ask, number, size, first.page.total, link);
    yield next.page;
    more = next.page.items.length > 0 && hasMore(next, number, size);
  }
}

/** By the service's own count where it gives one, else until a page is short; never past the end (service-facts 2). */
function hasMore({ page, pagination }: Fetched, number: number, size: number): boolean {
  return pagination ? number < Math.ceil(pagination.total_items / size) : page.items.length >= size;
}

interface Fetched {
  page: ListPage;
  pagination: Pagination | undefined;
}

/** The first page, in the first of the sizes that the service does not refuse. */
async function firstPage(
  ask: Ask,
  [size = SMALL_PAGE, ...smaller]: readonly number[],
  link: Link,
): Promise<Fetched & { size: number }> {
  try {
    return { ...(await pageNumber(ask, 1, size, undefined, link)), size };
  } catch (error) {
    if (smaller.length === 0 || !isBadRequest(error)) throw error;
    return await firstPage(ask, smaller, link);
  }
}

function isBadRequest(error: unknown): boolean {
  return error instanceof RelayctlError && error.http?.status === 400;
}

async function pageNumber(
  ask: Ask,
  number: number,
  size: number,
  total: number | undefined,
  link: Link,
): Promise<Fetched> {
  link.report({ type: "page", page: number, of: total === undefined ? undefined : Math.ceil(total / size) });
  return await fetchPage(ask, { page: String(number), per_page: String(size) }, link);
}

async function fetchPage(ask: Ask, query: Record<string, string>, link: Link): Promise<Fetched> {
  const { data, envelope, reply } = await readReplyOf({ ...ask, query }, link);
  const pagination = envelope && paginationOf(envelope);
  return { pagination, page: { items: data as JsonObject[], total: pagination?.total_items, body: reply.body } };
}

function withoutSeen(page: ListPage, seen: Set<string>): ListPage {
  const items = page.items.filter((item) => {
    const id = String(item.id);
    return !seen.has(id) && seen.add(id);
  });
  return { ...page, items };
}
