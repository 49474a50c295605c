import { type Pagination, paginationOf } from "../contract/envelope.ts";
import type { JsonObject } from "../contract/json.ts";
import { RelayctlError } from "../errors.ts";
import type { Link } from "./link.ts";
import { readReplyOf } from "./read.ts";
import type { Ask } from "./request.ts";

/** One page of a list as it arrived; ids seen on an earlier page are left out of a walk. */
export interface ListPage {
  items: readonly JsonObject[];
  /** `total_items` of the reply. */
  total: number | undefined;
  body: Uint8Array;
}

/** Which part of a list is asked for; nothing asks for all of it. */
export interface ListBounds {
  page?: number;
  perPage?: number;
}

/** The service has no maximum, and large pages spare its rate limit; a server that refuses this is asked for fewer (design 3). */
const LARGE_PAGE = 1000;
const SMALL_PAGE = 100;
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

async function* allPages(ask: Ask, perPage: number | undefined, link: Link): AsyncGenerator<ListPage, void> {
  const seen = new Set<string>();
  let total: number | undefined;
  try {
    for await (const page of pagesInTurn(ask, perPage, link)) {
      total = page.total;
      yield withoutSeen(page, seen);
    }
    if (total !== undefined && seen.size < total) yield* lookAgain(ask, total, seen, link);
  } catch (error) {
    throw seen.size > 0 && error instanceof RelayctlError ? error.with({ because: [`${seen.size} of ${total ?? "an unknown number"} were read`] }) : error;
  }
  if (total !== undefined && seen.size > total) link.report({ type: "note", text: `${seen.size} were read, though the service counts ${total}` });
}

/** The list moved while it was read, or holds fewer than it says: one more look, then the truth about what is missing. */
async function* lookAgain(ask: Ask, total: number, seen: Set<string>, link: Link): AsyncGenerator<ListPage, void> {
  const size = total <= ONE_PAGE_AT_MOST ? Math.max(total, 1) : undefined;
  let last = total;
  for await (const page of pagesInTurn(ask, size, link)) {
    last = page.total ?? last;
    yield withoutSeen(page, seen);
  }
  if (seen.size >= last) return;
  throw new RelayctlError("server", `the list is moving or not complete: ${seen.size} of ${last} were seen`, { retryable: true });
}

async function* pagesInTurn(ask: Ask, perPage: number | undefined, link: Link): AsyncGenerator<ListPage, void> {
  const first = await firstPage(ask, perPage, link);
  yield first.page;
  const size = first.pagination?.per_page || first.size;
  let more = hasMore(first, 1, size);
  for (let number = 2; more; number++) {
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

async function firstPage(ask: Ask, perPage: number | undefined, link: Link): Promise<Fetched & { size: number }> {
  const size = perPage ?? LARGE_PAGE;
  try {
    return { ...(await pageNumber(ask, 1, size, undefined, link)), size };
  } catch (error) {
    if (perPage !== undefined || !isBadRequest(error)) throw error;
    return { ...(await pageNumber(ask, 1, SMALL_PAGE, undefined, link)), size: SMALL_PAGE };
  }
}

function isBadRequest(error: unknown): boolean {
  return error instanceof RelayctlError && error.http?.status === 400;
}

async function pageNumber(ask: Ask, number: number, size: number, total: number | undefined, link: Link): Promise<Fetched> {
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
